import NightlatchWire

/// Combines access tokens and refresh tokens into grants.
package struct TokenGrants: Sendable {
    let keys: TokenKeys
    let refreshLife: Duration

    package init(keys: TokenKeys, refreshLife: Duration) {
        self.keys = keys
        self.refreshLife = refreshLife
    }

    /// Grants a new access token by `issuer` together with `refreshToken`.
    func grant(
        by issuer: TokenIssuer,
        user: UserID,
        device: DeviceID,
        client: ClientID,
        authentication: Authentication,
        possessionKey: KeyID,
        refreshToken: FamilyToken,
        now: NumericDate
    ) throws(Refusal) -> TokenGrant {
        do {
            let accessToken = try issuer.accessToken(
                user: user, device: device, client: client, session: refreshToken.family.session,
                authentication: authentication, possessionKey: possessionKey, now: now)
            return TokenGrant(
                accessToken: accessToken, expiresInSeconds: Int(issuer.life.components.seconds),
                refreshToken: refreshToken.token)
        } catch {
            throw .internalError
        }
    }
}
