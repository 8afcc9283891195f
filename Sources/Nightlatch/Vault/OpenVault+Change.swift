extension OpenVault {
    /// Changes several secrets together: when this returns, all of the change is durable; when it throws, none of it was made,
    /// unless the store failed in the act; then all or none.
    ///
    /// `body` is lent the secrets as they stand. If someone else writes before its change is written, it is called again, with
    /// the secrets as they stand then. So a change that depends on what was there cannot overwrite what it has not seen. If
    /// `body` changes nothing, nothing is written.
    ///
    /// - Parameter body: Looks at the secrets and changes them, and does nothing else, since it may be called several times.
    /// - Returns: What the last call of `body` returned.
    /// - Throws: ``OpenVaultError``, that of `body` included.
    package func change<Outcome: ~Copyable & Sendable>(
        _ body: @Sendable (inout VaultSecrets) throws(OpenVaultError) -> Outcome
    ) async throws(OpenVaultError) -> Outcome {
        var retries = ConflictRetries()
        // Ends: each round more is a conflict, and `retries` bounds those.
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
