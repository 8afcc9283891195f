import NightlatchTokenVerification
import NightlatchWire

/// Looks up whether the login of a token is still valid.
package struct Sessions: Sendable {
    let store: any RelyingPartyStore

    package init(store: any RelyingPartyStore) {
        self.store = store
    }

    /// The live refresh token family of the login that `token` belongs to.
    ///
    /// - Throws: ``Refusal`` `accessTokenRefused`, or the refusal for the device's ``DeviceBar``, if the login is no
    ///   longer valid.
    func require(for token: VerifiedAccessToken) async throws(Refusal) -> LiveRefreshFamily {
        let claims = token.claims
        let family = try await answer { () async throws(StoreError) in
            try await store.refreshFamily(RefreshFamilyID(claims.session))
        }
        if let family {
            guard family.device.id == claims.device, family.device.user == claims.subject else {
                throw .accessTokenRefused(.unknownDevice)
            }
            guard family.possessionKey == claims.confirmation.possessionKey else {
                throw .accessTokenRefused(.keyReplaced)
            }
            return family
        }
        let device = try await answer { () async throws(StoreError) in
            try await store.device(claims.device, of: claims.subject)
        }
        guard let device else { throw .accessTokenRefused(.unknownDevice) }
        if let bar = device.bar { throw Refusal(bar) }
        throw .accessTokenRefused(.sessionEnded)
    }
}
