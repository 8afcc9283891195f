import CoreMetrics
package import NightlatchTokenVerification
package import NightlatchWire

/// Exchanges a refresh token for new tokens ([RFC 6749, section 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)).
package struct RefreshExchange: Sendable {
    let store: any RelyingPartyStore
    let proofs: DPoPVerifier
    let tokens: TokenGrants
    let policies: PolicyDelivery
    let apps: AppRegistry
    let clock: WallClock

    package init(
        store: any RelyingPartyStore, proofs: DPoPVerifier, tokens: TokenGrants, policies: PolicyDelivery,
        apps: AppRegistry, clock: WallClock
    ) {
        self.store = store
        self.proofs = proofs
        self.tokens = tokens
        self.policies = policies
        self.apps = apps
        self.clock = clock
    }

    /// Exchanges `token` for new tokens. The DPoP proof must be by the possession key of the login.
    ///
    /// If the response is lost, the client may present the same token again, at any time until its successor is used.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - policy: The revision of the policy that the device has; nil for a device that knows no policies.
    ///   - dpopProofs: The DPoP proofs of the request.
    package func exchange(
        _ token: RefreshToken, policy: PolicyRevision?, proofs dpopProofs: [String]
    ) async throws(Refusal) -> TokenGrant {
        let now = clock.now()
        let possessionKey: KeyID
        do {
            possessionKey = try proofs.verify(dpopProofs, expecting: .init(route: .token), now: now).key
        } catch {
            throw Refusal(error)
        }
        guard let presented = FamilyToken(token) else { throw .refreshTokenRefused }
        let clients = try await answer { () async throws(RelyingPartyStoreError) in
            try await apps.deviceClients(now: now)
        }
        let successor = FamilyToken.random(of: presented.family)
        let rotation = RefreshRotation(
            family: presented.family, presented: presented.hash, successor: successor.hash,
            possessionKey: possessionKey, clients: clients, refreshLife: tokens.refreshLife)
        // The issuer is fetched before anything is written: after the commit nothing may fail.
        let issuer = try await answer { () async throws(RelyingPartyStoreError) in
            try await tokens.keys.issuer(now: now)
        }
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.rotateRefreshToken(rotation)
        }
        guard case .rotated(let device, let user, let client, let authentication) = outcome else {
            throw .refreshTokenRefused
        }
        CeremonyMetrics.refreshes.increment()
        var grant = try tokens.grant(
            by: issuer, user: user, device: device, client: client, authentication: authentication,
            possessionKey: possessionKey, refreshToken: successor, now: now)
        grant.policy = await policies.policy(of: user, at: client, newerThan: policy, now: now)
        return grant
    }
}
