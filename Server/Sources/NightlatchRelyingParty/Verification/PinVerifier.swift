import NightlatchTokenVerification
package import NightlatchWire

/// A message about a two-party PIN whose signature and addressee were verified. Only ``PinVerifier`` makes one. Whether the key that signed
/// is the device's, in the role that the message takes, was not.
package struct VerifiedPinMessage<Statement: PinStatement>: Hashable, Sendable {
    package let client: ClientID
    package let user: UserID
    package let device: DeviceID
    /// The key that signed.
    package let signer: KeyID
    /// The algorithm that it signed by.
    package let algorithm: SignatureAlgorithm
    /// Whether the message lives, and does so for no longer than messages do.
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
    package let clients: Set<ClientID>

    package init(relyingParty: Issuer, clients: Set<ClientID>) {
        self.relyingParty = relyingParty
        self.clients = clients
    }

    /// The numbers are those of `docs/two-party-pin.md`.
    ///
    /// 1. `message` is a compact JWS; no critical extension; its `typ` is that of the statement.
    /// 2. Its header carries a public key (`jwk`) and names no other (`kid`); the algorithm is one of that key, and the signature is by it.
    /// 3. Only now the claims are read, strictly.
    /// 4. `aud` is this relying party alone, `iss` an app that it knows.
    ///
    /// Whether it lives (7.) is told and not refused: only who has a key of the device learns of it.
    package func verify<Statement: PinStatement>(
        _ message: String,
        as statement: Statement.Type = Statement.self,
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
