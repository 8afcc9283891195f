import NightlatchTokenVerification
package import NightlatchWire

/// A verified login message of a bound device. Only ``LoginVerifier`` makes such a value.
package struct VerifiedLogin: Hashable, Sendable {
    package let device: DeviceRecord
    package let possessionKey: KeyID
    package let userVerification: UserVerification?
    package let messageHash: MessageHash

    init(
        verified claims: LoginClaims,
        device: DeviceRecord,
        messageHash: MessageHash
    ) throws(MessageRefusal) {
        guard claims.possessionKey != device.keyID else { throw .wrongKey }
        self.device = device
        possessionKey = claims.possessionKey
        userVerification = claims.userVerification
        self.messageHash = messageHash
    }
}

/// Verifies the answer of a bound device to a login challenge.
package struct LoginVerifier: Sendable {
    package let relyingParty: Issuer
    let decoys = DecoyKeys()

    package init(relyingParty: Issuer) {
        self.relyingParty = relyingParty
    }

    /// The expected values, which the sealed handle contains.
    package struct Expectation: Hashable, Sendable {
        package let user: UserID
        package let challenge: Challenge

        package init(user: UserID, challenge: Challenge) {
            self.user = user
            self.challenge = challenge
        }
    }

    /// Verifies a login message. The numbers are those of `docs/protocol.md`; the caller has done step 1: it has opened
    /// the handle.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a login.
    /// 3. The algorithm is that of the registered key, and the key made the signature. If there is no such device, or
    ///    its key makes no signatures of this algorithm or length, a decoy is tried, so that all refusals take about
    ///    the same time.
    /// 4. Its header names that key (`kid`) and contains none (`jwk`).
    /// 5. Only then the claims are parsed, strictly.
    /// 6. `aud` is only this relying party, `iss` is the app that bound the device, `sub` is the device's user,
    ///    `challenge` is the ceremony's challenge, and the possession key differs from the device key.
    /// 7. The message's lifetime is at most 60 seconds, and it is valid now, with 60 seconds of clock tolerance on
    ///    either side.
    ///
    /// A blocked or revoked device is verified like any other: only a holder of its key may learn its status.
    package func verify(
        _ message: String,
        by device: DeviceRecord?,
        through clients: Set<ClientID>,
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
