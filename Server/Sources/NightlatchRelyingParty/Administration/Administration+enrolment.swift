package import NightlatchWire

extension Administration {
    /// Creates a code with which an operator binds a device to sign in with.
    ///
    /// - Parameters:
    ///   - user: The user of the operator.
    ///   - masterKey: The server's master key. The store keeps only a MAC of the code.
    ///   - life: The time for which the code is valid.
    /// - Throws: ``AdministrationError`` `operatorUnknown` or `store`. After `store` a code that nobody knows may exist.
    package func createCode(
        forOperator user: UserID, under masterKey: MasterKey, life: Duration
    ) async throws(AdministrationError) -> EnrolmentCodeGrant {
        _ = try await operatorRecord(of: user)
        let code = EnrolmentCode.random()
        let new = NewEnrolmentCode(
            mac: EnrolmentCodeMAC(of: code, under: masterKey), masterKey: masterKey.id, user: user, actor: party,
            life: life)
        let expiresAt = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.createEnrolmentCode(new)
        }
        // Nil only for a code that depends on a password.
        guard let expiresAt else { throw .store(RelyingPartyStoreError(.unavailable)) }
        return EnrolmentCodeGrant(user: user, code: code, expiresAt: expiresAt)
    }
}
