extension OpenVault {
    /// Changes several secrets together.
    ///
    /// When this returns, the whole change is durable. When it throws, none of it was made, unless the store failed
    /// during the write; then all or none of it was made.
    ///
    /// `body` borrows the current secrets. If another process writes before the change is written, `body` is called
    /// again with the new secrets. So a change that depends on the previous values never overwrites a value that it has
    /// not seen. If `body` changes nothing, nothing is written.
    ///
    /// - Parameter body: Reads and changes the secrets. It must do nothing else, since it may be called several times.
    /// - Returns: The result of the last call of `body`.
    /// - Throws: ``VaultError``, including the errors of `body`.
    package func change<Outcome: ~Copyable & Sendable>(
        _ body: @Sendable (inout VaultSecrets) throws(VaultError) -> Outcome
    ) async throws(VaultError) -> Outcome {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let opened = try await current()
            let items = opened.record.sealed.content.items
            var secrets = VaultSecrets(items, sealedUnder: opened.key)
            let outcome = try body(&secrets)
            if secrets.items == items { return outcome }
            if try await replace(opened, items: secrets.items, retrying: &retries) { return outcome }
        }
    }
}
