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
        in context: CeremonyContext, issuer: Issuer, apps: AppRegistry, keys: TokenKeys, masterKey: MasterKey,
        proofs: DPoPVerifier
    ) {
        self.issuer = issuer
        self.apps = apps
        self.keys = keys
        self.proofs = proofs
        store = context.store
        clock = context.clock
        refreshTokens = AppRefreshTokens(masterKey: masterKey)
        pushed = PushedRequests(masterKey: masterKey)
    }
}
