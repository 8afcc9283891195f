import NightlatchWire

/// What the answers of all ceremonies claim alike, and the checks on it.
struct CeremonyAnswer {
    let issuer: ClientID
    let subject: UserID
    let audience: Issuer
    let issuedAt: NumericDate
    let expiresAt: NumericDate
    let challenge: Challenge

    /// How far a device's clock may be off, either way.
    static let clockSkew: Duration = .seconds(60)
    /// How long an answer may be good for.
    static let lifeLimit: Duration = .seconds(60)

    init(_ claims: BindingClaims) {
        issuer = claims.issuer
        subject = claims.subject
        audience = claims.audience
        issuedAt = claims.issuedAt
        expiresAt = claims.expiresAt
        challenge = claims.challenge
    }

    init(_ claims: LoginClaims) {
        issuer = claims.issuer
        subject = claims.subject
        audience = claims.audience
        issuedAt = claims.issuedAt
        expiresAt = claims.expiresAt
        challenge = claims.challenge
    }

    /// Throws unless this is an answer to `challenge` by `user`, through one of `clients`, to `relyingParty`, and alive at
    /// `now`.
    func check(
        clients: Set<ClientID>,
        user: UserID,
        relyingParty: Issuer,
        challenge expected: Challenge,
        now: NumericDate
    ) throws(MessageRefusal) {
        guard audience == relyingParty else { throw .wrongAudience }
        guard clients.contains(issuer) else { throw .wrongIssuer }
        guard subject == user else { throw .wrongSubject }
        guard ConstantTime.isEqual(challenge.rawValue, expected.rawValue) else { throw .wrongChallenge }
        guard expiresAt > issuedAt, expiresAt - issuedAt <= Self.lifeLimit else { throw .lifeTooLong }
        guard issuedAt <= now + Self.clockSkew else { throw .notYetValid }
        guard expiresAt + Self.clockSkew > now else { throw .expired }
    }
}
