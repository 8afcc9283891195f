import NightlatchTokenVerification
package import NightlatchWire

/// The claims that the answers of all ceremonies share.
package protocol CeremonyClaims: MessageClaims {
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
extension RemoteLoginClaims: CeremonyClaims {}

extension CeremonyClaims {
    /// Checks that this is an answer to `challenge` by `user` for `relyingParty`, and that it is valid at `now`.
    ///
    /// The app must be one of `clients` and, for a bound device, the app that bound the device.
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
    /// The claims of an answer by a bound device.
    ///
    /// Checks in this order: the device's key made the signature with its algorithm; the header names that key and
    /// contains none; the claims have the strict form; and they pass
    /// ``CeremonyClaims/check(clients:boundBy:user:relyingParty:challenge:now:)`` for the app that bound the device.
    func answer<Claims: CeremonyClaims>(
        by device: DeviceRecord,
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

    /// The remaining checks of ``answer(by:through:user:relyingParty:challenge:now:)``, for a message whose signature
    /// was verified with the device's key.
    func signedAnswer<Claims: CeremonyClaims>(
        of device: DeviceRecord,
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
