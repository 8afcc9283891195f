import NightlatchTokenVerification
import NightlatchWire

/// What the answers of all ceremonies claim alike.
protocol CeremonyClaims: MessageClaims {
    var issuer: ClientID { get }
    var subject: UserID { get }
    var audience: Issuer { get }
    var issuedAt: NumericDate { get }
    var expiresAt: NumericDate { get }
    var challenge: Challenge { get }
}

extension BindingClaims: CeremonyClaims {}
extension LoginClaims: CeremonyClaims {}
extension DecisionClaims: CeremonyClaims {}

extension CeremonyClaims {
    /// Throws unless this is an answer to `challenge` by `user`, through one of `clients`, which is the one that has bound the device if it
    /// is bound, to `relyingParty`, and alive at `now`.
    func check(
        clients: Set<ClientID>,
        boundBy client: ClientID? = nil,
        user: UserID,
        relyingParty: Issuer,
        challenge expected: Challenge,
        now: NumericDate
    ) throws(MessageRefusal) {
        guard audience == relyingParty else { throw .wrongAudience }
        guard clients.contains(issuer), client == nil || client == issuer else { throw .wrongIssuer }
        guard subject == user else { throw .wrongSubject }
        guard ConstantTime.isEqual(challenge.rawValue, expected.rawValue) else { throw .wrongChallenge }
        guard expiresAt > issuedAt, expiresAt - issuedAt <= MessageLife.ofAssertions else { throw .lifeTooLong }
        guard issuedAt <= now + MessageLife.clockTolerance else { throw .notYetValid }
        guard expiresAt + MessageLife.clockTolerance > now else { throw .expired }
    }
}

extension CompactJWS {
    /// The claims of an answer by a registered key, once all of this holds, in this order: the signature is by the device's key and of its
    /// algorithm, the header names that key and carries none, the claims are strictly of their form, and they pass
    /// ``CeremonyClaims/check(clients:boundBy:user:relyingParty:challenge:now:)`` for the app that bound the device.
    func answer<Claims: CeremonyClaims>(
        by device: RegisteredDevice,
        through clients: Set<ClientID>,
        user: UserID,
        relyingParty: Issuer,
        challenge: Challenge,
        now: NumericDate
    ) throws(MessageRefusal) -> Claims {
        guard header.algorithm == device.algorithm, isSigned(by: device.key) else { throw .wrongSignature }
        guard header.keyID == device.keyID else { throw .keyNotNamed }
        return try signedAnswer(
            of: device, through: clients, user: user, relyingParty: relyingParty, challenge: challenge, now: now)
    }

    /// The rest of ``answer(by:through:user:relyingParty:challenge:now:)``, for a message whose signature is known to be by the
    /// device's key.
    func signedAnswer<Claims: CeremonyClaims>(
        of device: RegisteredDevice,
        through clients: Set<ClientID>,
        user: UserID,
        relyingParty: Issuer,
        challenge: Challenge,
        now: NumericDate
    ) throws(MessageRefusal) -> Claims {
        guard header.key == nil else { throw .keyNotNamed }
        let claims: Claims = try verifiedClaims(refusal: MessageRefusal.self)
        guard device.user == user else { throw .wrongSubject }
        try claims.check(
            clients: clients, boundBy: device.client, user: user, relyingParty: relyingParty, challenge: challenge,
            now: now)
        return claims
    }
}
