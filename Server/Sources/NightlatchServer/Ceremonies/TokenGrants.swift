import NightlatchWire

/// Puts a pair of tokens together.
package struct TokenGrants: Sendable {
    let issuer: TokenIssuer
    let refreshLife: Duration

    /// A new access token with `refreshToken`, or with a new one.
    func grant(
        user: UserID,
        device: DeviceID,
        client: ClientID,
        possessionKey: KeyID,
        refreshToken: RefreshToken? = nil,
        now: NumericDate
    ) throws(Refusal) -> TokenGrant {
        guard let refreshToken = refreshToken ?? RefreshToken.random() else { throw .internalError }
        do {
            let accessToken = try issuer.accessToken(
                user: user, device: device, client: client, possessionKey: possessionKey, now: now)
            return TokenGrant(
                accessToken: accessToken, expiresInSeconds: Int(issuer.life.components.seconds),
                refreshToken: refreshToken)
        } catch {
            throw .internalError
        }
    }
}
