import NightlatchTokenVerification
package import NightlatchWire

/// A message about a two-party PIN with a verified signature and audience.
///
/// Only ``PinVerifier`` makes such a value. The caller must still check that the signing key belongs to the device and
/// has the required role.
package struct VerifiedPinMessage<Statement: PinStatement>: Hashable, Sendable {
    package let client: ClientID
    package let user: UserID
    package let device: DeviceID
    /// The key that signed.
    package let signer: KeyID
    /// The algorithm of the signature.
    package let algorithm: SignatureAlgorithm
    /// Whether the message is valid now, and its lifetime is no longer than allowed.
    package let isFresh: Bool
    package let statement: Statement

    fileprivate init(_ claims: PinClaims<Statement>, signer: KeyID, algorithm: SignatureAlgorithm, isFresh: Bool) {
        client = claims.issuer
        user = claims.subject
        device = claims.device
        self.signer = signer
        self.algorithm = algorithm
        self.isFresh = isFresh
        statement = claims.statement
    }
}

/// Verifies messages about two-party PINs.
package struct PinVerifier: Sendable {
    package let relyingParty: Issuer

    package init(relyingParty: Issuer) {
        self.relyingParty = relyingParty
    }

    /// Verifies a message. The numbers are those of `docs/two-party-pin.md`.
    ///
    /// 1. `message` is a compact JWS; no critical extension; its `typ` is that of the statement.
    /// 2. Its header contains a public key (`jwk`) and names no other (`kid`); the algorithm fits the key, and the key
    ///    made the signature.
    /// 3. Only then the claims are parsed, strictly.
    /// 4. `aud` is only this relying party, and `iss` is a permitted app.
    ///
    /// A message that is not fresh (rule 7) is not refused here; ``VerifiedPinMessage/isFresh`` is then false. Only a
    /// holder of one of the device's keys may learn that a message is not fresh.
    package func verify<Statement: PinStatement>(
        _ message: String,
        as statement: Statement.Type = Statement.self,
        through clients: Set<ClientID>,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedPinMessage<Statement> {
        let jws = try CompactJWS(message, of: Statement.messageType, refusal: MessageRefusal.self)
        guard let key = jws.header.key, jws.header.keyID == nil else { throw .keyNotNamed }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        let claims: PinClaims<Statement> = try jws.verifiedClaims(refusal: MessageRefusal.self)
        guard claims.audience == relyingParty else { throw .wrongAudience }
        guard clients.contains(claims.issuer) else { throw .wrongIssuer }
        let isFresh =
            claims.expiresAt > claims.issuedAt
            && claims.expiresAt - claims.issuedAt <= MessageLife.ofAssertions
            && claims.issuedAt <= now + MessageLife.clockTolerance
            && claims.expiresAt + MessageLife.clockTolerance > now
        return VerifiedPinMessage(
            claims, signer: key.thumbprint, algorithm: jws.header.algorithm, isFresh: isFresh)
    }
}
