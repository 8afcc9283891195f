package import NightlatchWire

/// Gives out enrolment codes: to the app's backend, which knows by its own means who the user is, or to who has shown a password.
package struct EnrolmentCeremony: Sendable {
    let store: any RelyingPartyStore
    let masterKey: MasterKey
    let codeLife: Duration

    package init(store: any RelyingPartyStore, masterKey: MasterKey, codeLife: Duration) {
        self.store = store
        self.masterKey = masterKey
        self.codeLife = codeLife
    }

    /// A new code for the user, who is made if there is none yet. It is told this once.
    ///
    /// - Parameters:
    ///   - request: Whom the code is for.
    ///   - actor: Who asked for it, as the audit log is to say.
    ///   - password: What was shown for it, if anything.
    /// - Throws: ``Refusal`` `overloaded` if the password was changed meanwhile: whoever knows the new one may ask again.
    package func createCode(
        _ request: EnrolmentCodeRequest,
        for actor: ActingParty,
        showing password: StoredPassword? = nil
    ) async throws(Refusal) -> EnrolmentCodeGrant {
        let code = EnrolmentCode.random()
        let new = NewEnrolmentCode(
            mac: EnrolmentCodeMAC(of: code, under: masterKey), user: request.user, actor: actor, life: codeLife,
            password: password)
        let expiresAt = try await answer { () async throws(StoreError) in try await store.createEnrolmentCode(new) }
        guard let expiresAt else { throw .overloaded }
        return EnrolmentCodeGrant(user: request.user, code: code, expiresAt: expiresAt)
    }
}
