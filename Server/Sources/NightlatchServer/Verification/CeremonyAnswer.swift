import NightlatchWire

/// What the answers of all ceremonies claim alike, and the checks on it.
struct CeremonyAnswer {
    let issuer: ClientID
    let subject: UserID
    let audience: Issuer
    let issuedAt: NumericDate
    let expiresAt: NumericDate
    let challenge: Challenge

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

    init(_ claims: DecisionClaims) {
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
        guard expiresAt > issuedAt, expiresAt - issuedAt <= MessageLife.ofAssertions else { throw .lifeTooLong }
        guard issuedAt <= now + MessageLife.clockTolerance else { throw .notYetValid }
        guard expiresAt + MessageLife.clockTolerance > now else { throw .expired }
    }
}
