package import NightlatchWire

/// Gives out enrolment codes to the app's backend, which knows by its own means who the user is.
package struct EnrolmentCeremony<Store: RelyingPartyStore>: Sendable {
    let store: Store
    let masterKey: MasterKey
    let codeLife: Duration

    /// A new code for the user, who is made if there is none yet. It is told this once.
    package func createCode(_ request: EnrolmentCodeRequest) async throws(Refusal) -> EnrolmentCodeGrant {
        let code = EnrolmentCode.random()
        let mac = EnrolmentCodeMAC(of: code, under: masterKey)
        let expiresAt = try await answer { () async throws(StoreError) in
            try await store.createEnrolmentCode(mac, for: request.user, life: codeLife)
        }
        return EnrolmentCodeGrant(user: request.user, code: code, expiresAt: expiresAt)
    }
}
