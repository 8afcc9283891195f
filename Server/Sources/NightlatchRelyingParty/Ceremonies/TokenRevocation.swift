package import NightlatchTokenVerification
import NightlatchWire

/// Ends a login ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)): revoking any of its tokens invalidates all of
/// them.
package struct TokenRevocation: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let keys: TokenKeys
    let proofs: DPoPVerifier
    let clock: WallClock

    package init(
        store: any RelyingPartyStore, apps: AppRegistry, keys: TokenKeys, proofs: DPoPVerifier, clock: WallClock
    ) {
        self.store = store
        self.apps = apps
        self.keys = keys
        self.proofs = proofs
        self.clock = clock
    }

    /// Revokes the login of the token `text`. The DPoP proof must be by the key that the token is bound to.
    ///
    /// Text that is not a valid token is ignored: it counts as revoked already.
    package func revoke(_ text: String, proofs dpopProofs: [String]) async throws(Refusal) {
        let now = clock.now()
        let possessionKey: KeyID
        do {
            possessionKey = try proofs.verify(dpopProofs, expecting: .init(route: .revokeToken), now: now).key
        } catch {
            throw Refusal(error)
        }
        guard let family = try await family(of: text, now: now) else { return }
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.revokeRefreshFamily(family, possessionKey: possessionKey)
        }
        switch outcome {
        case .gone: return
        case .otherKey: throw .dpopProofRefused(.wrongKey)
        }
    }

    private func family(of text: String, now: NumericDate) async throws(Refusal) -> RefreshFamilyID? {
        if let token = RefreshToken(rawValue: text).flatMap(FamilyToken.init) { return token.family }
        guard let token = AccessToken(rawValue: text) else { return nil }
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.deviceClients(now: now)
        }
        do {
            return RefreshFamilyID(try await keys.verify(token, from: clients, now: now).claims.session)
        } catch {
            guard case .accessTokenRefused = error else { throw error }
            return nil
        }
    }
}
