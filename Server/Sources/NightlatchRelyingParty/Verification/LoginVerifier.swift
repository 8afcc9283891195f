import NightlatchTokenVerification
package import NightlatchWire

/// A login message that was verified against a registered key. Only ``LoginVerifier`` makes one.
package struct VerifiedLogin: Hashable, Sendable {
    package let device: RegisteredDevice
    package let possessionKey: KeyID
    package let userVerification: UserVerification?
    package let messageHash: MessageHash

    init(
        verified claims: LoginClaims,
        device: RegisteredDevice,
        messageHash: MessageHash
    ) throws(MessageRefusal) {
        guard claims.possessionKey != device.keyID else { throw .wrongKey }
        self.device = device
        possessionKey = claims.possessionKey
        userVerification = claims.userVerification
        self.messageHash = messageHash
    }
}

/// Verifies that a bound device answers a login challenge.
package struct LoginVerifier: Sendable {
    package let relyingParty: Issuer
    package let clients: Set<ClientID>
    let decoys = DecoyKeys()

    package init(relyingParty: Issuer, clients: Set<ClientID>) {
        self.relyingParty = relyingParty
        self.clients = clients
    }

    /// What the sealed handle says of the ceremony.
    package struct Expectation: Hashable, Sendable {
        package let user: UserID
        package let challenge: Challenge

        package init(user: UserID, challenge: Challenge) {
            self.user = user
            self.challenge = challenge
        }
    }

    /// The numbers are those of `docs/protocol.md`; the handle was opened before.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a login.
    /// 3. The algorithm is that of the registered key, and the signature is by it. For a device that there is not, and for an
    ///    algorithm or a length that is not of its key's signatures, a decoy is tried, so that one refusal takes about as long as another.
    /// 4. Its header names that key (`kid`) and carries none (`jwk`).
    /// 5. Only now the claims are read, strictly.
    /// 6. `aud` is this relying party alone, `iss` the app that bound the device, `sub` the device's user, `challenge` the
    ///    one that was given, and the possession key is another than the device's.
    /// 7. The message lives at most 60 seconds and is alive, with 60 seconds of clock skew either way.
    ///
    /// A barred device is verified like any other: only who holds its key is to learn that it is barred.
    package func verify(
        _ message: String,
        by device: RegisteredDevice?,
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedLogin {
        let jws = try CompactJWS(message, of: .login, refusal: MessageRefusal.self)
        let algorithm = jws.header.algorithm
        let byteCount = jws.signature.count
        guard let device, device.algorithm == algorithm, device.key.canMakeSignature(byteCount: byteCount) else {
            let decoy =
                device == nil
                ? decoys.readKey(for: algorithm, signatureByteCount: byteCount)
                : decoys.key(for: algorithm, signatureByteCount: byteCount)
            if let decoy { _ = jws.isSigned(by: decoy) }
            throw .wrongSignature
        }
        let claims: LoginClaims = try jws.answer(
            by: device, through: clients, user: expectation.user, relyingParty: relyingParty,
            challenge: expectation.challenge, now: now)
        return try VerifiedLogin(verified: claims, device: device, messageHash: MessageHash(of: message))
    }
}
