package import NightlatchWire

/// Issues enrolment codes: to the backend, which authenticates the user by its own means, or to a client that has
/// presented the user's password.
package struct EnrolmentCeremony: Sendable {
    let store: any RelyingPartyStore
    let keyring: MasterKeyring
    let codeLife: Duration

    package init(store: any RelyingPartyStore, keyring: MasterKeyring, codeLife: Duration) {
        self.store = store
        self.keyring = keyring
        self.codeLife = codeLife
    }

    /// Creates a code for the user, and creates the user if there is none yet.
    ///
    /// Only this call returns the plain code: the store keeps a MAC of it.
    ///
    /// - Parameters:
    ///   - request: The request, which names the user.
    ///   - actor: The party that requested the code, for the audit log.
    ///   - password: The password that was verified for this request, if any.
    /// - Throws: ``Refusal`` `overloaded` if the password was changed after it was verified. A client that knows the
    ///   new password may repeat the request. `apiKeyScopeMissing` or `credentialsRefused` if the user is an operator
    ///   of the console: then only another operator gives a code, because the device that is bound signs in with it.
    package func createCode(
        _ request: EnrolmentCodeRequest,
        for actor: ActingParty,
        showing password: StoredPassword? = nil
    ) async throws(Refusal) -> EnrolmentCodeGrant {
        try await requireRight(of: actor, to: request.user)
        let (code, masterKey) = (EnrolmentCode.random(), keyring.sealing)
        let new = NewEnrolmentCode(
            mac: EnrolmentCodeMAC(of: code, under: masterKey), masterKey: masterKey.id, user: request.user,
            actor: actor, life: codeLife,
            password: password)
        let expiresAt = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.createEnrolmentCode(new)
        }
        guard let expiresAt else { throw .overloaded }
        // The user may have become an operator just now, which makes only older codes invalid.
        try await requireRight(of: actor, to: request.user)
        return EnrolmentCodeGrant(user: request.user, code: code, expiresAt: expiresAt)
    }

    private func requireRight(of actor: ActingParty, to user: UserID) async throws(Refusal) {
        guard actor.kind != .operator else { return }
        let person = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.operatorRecord(of: user)
        }
        guard person == nil else { throw actor.kind == .backend ? .apiKeyScopeMissing : .credentialsRefused }
    }
}
