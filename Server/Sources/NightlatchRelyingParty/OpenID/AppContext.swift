package import NightlatchTokenVerification
package import NightlatchWire

/// The parts that the endpoints of apps share.
package struct AppContext: Sendable {
    let issuer: Issuer
    let apps: AppRegistry
    let store: any RelyingPartyStore
    let keys: TokenKeys
    let refreshTokens: AppRefreshTokens
    let pushed: PushedRequests
    let proofs: DPoPVerifier
    let clock: WallClock

    package init(
        in context: CeremonyContext, issuer: Issuer, apps: AppRegistry, keys: TokenKeys, secrets: RelyingPartySecrets,
        proofs: DPoPVerifier
    ) {
        self.issuer = issuer
        self.apps = apps
        self.keys = keys
        self.proofs = proofs
        store = context.store
        clock = context.clock
        refreshTokens = AppRefreshTokens(key: secrets.kept.appRefreshToken)
        pushed = PushedRequests(keyring: secrets.keyring)
    }

    /// The claims of a token that a key of this relying party signed; nil for any other text.
    func verified<Claims: MessageClaims>(_ type: Claims.Type, _ text: String) async -> Claims? {
        let publicKeys = await keys.publicKeys(now: clock.now())
        do {
            let jws = try CompactJWS(text)
            guard jws.header.type == Claims.messageType, jws.header.key == nil, jws.header.algorithm == .es256,
                let key = publicKeys.first(where: { $0.thumbprint == jws.header.keyID }), jws.isSigned(by: key)
            else { return nil }
            return try jws.claims()
        } catch {
            return nil
        }
    }
}
