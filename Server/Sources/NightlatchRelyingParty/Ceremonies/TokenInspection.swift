import NightlatchTokenVerification
package import NightlatchWire

/// Introspects tokens ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)).
package struct TokenInspection: Sendable {
    let relyingParty: Issuer
    let apps: AppRegistry
    let store: any RelyingPartyStore
    let sessions: Sessions
    let keys: TokenKeys
    let clock: WallClock

    package init(
        relyingParty: Issuer,
        apps: AppRegistry,
        store: any RelyingPartyStore,
        sessions: Sessions,
        keys: TokenKeys,
        clock: WallClock
    ) {
        self.relyingParty = relyingParty
        self.apps = apps
        self.store = store
        self.sessions = sessions
        self.keys = keys
        self.clock = clock
    }

    /// Introspects `text`. If anything is wrong with the token, the response says only that the token is not active.
    package func inspect(_ text: String) async throws(Refusal) -> TokenIntrospection {
        if let token = RefreshToken(rawValue: text).flatMap(FamilyToken.init) {
            return TokenIntrospection(try await details(of: token))
        }
        guard let token = AccessToken(rawValue: text) else { return TokenIntrospection(nil) }
        return TokenIntrospection(try await details(of: token))
    }

    private func details(of token: FamilyToken) async throws(Refusal) -> TokenIntrospection.Details? {
        let family = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.refreshFamily(token.family)
        }
        guard let family, family.usableTokens.contains(token.hash),
            try await clients(now: clock.now()).contains(family.device.client)
        else { return nil }
        return TokenIntrospection.Details(
            issuer: relyingParty, subject: family.device.user, clientID: family.device.client, device: family.device.id,
            session: token.family.session, expiresAt: family.expiresAt, authentication: family.authentication,
            possessionKey: family.possessionKey)
    }

    private func details(of token: AccessToken) async throws(Refusal) -> TokenIntrospection.Details? {
        do {
            let now = clock.now()
            let verified = try await keys.verify(token, from: clients(now: now), now: now)
            _ = try await sessions.require(for: verified)
            return TokenIntrospection.Details(verified.claims)
        } catch {
            switch error {
            case .deviceRevoked, .deviceReplaced, .deviceBlocked, .accessTokenRefused: return nil
            default: throw error
            }
        }
    }

    private func clients(now: NumericDate) async throws(Refusal) -> Set<ClientID> {
        try await answer { () async throws(RelyingPartyStoreError) in try await apps.deviceClients(now: now) }
    }
}
