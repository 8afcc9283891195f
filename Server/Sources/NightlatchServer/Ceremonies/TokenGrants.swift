import NightlatchWire

/// Puts a pair of tokens together.
package struct TokenGrants: Sendable {
    let issuer: TokenIssuer
    let refreshLife: Duration

    /// A new access token with `refreshToken`.
    func grant(
        user: UserID,
        device: DeviceID,
        client: ClientID,
        possessionKey: KeyID,
        refreshToken: FamilyToken,
        now: NumericDate
    ) throws(Refusal) -> TokenGrant {
        do {
            let accessToken = try issuer.accessToken(
                user: user, device: device, client: client, possessionKey: possessionKey, now: now)
            return TokenGrant(
                accessToken: accessToken, expiresInSeconds: Int(issuer.life.components.seconds),
                refreshToken: refreshToken.token)
        } catch {
            throw .internalError
        }
    }
}
