import NightlatchTokenVerification
package import NightlatchWire

/// A key that was verified to be in the hands of the client that wants it bound. Only ``init(_:expecting:now:)`` makes one.
package struct VerifiedJourneyBinding: Hashable, Sendable {
    package let id: JourneyKeyID
    package let key: PublicJWK
    let algorithm: SignatureAlgorithm
    package let application: String
    let claims: JourneyClaims
    /// The message, which has served herewith.
    let use: JourneyMessageUse

    /// 1. `text` is a compact JWS of a journey, of at most 16 KiB.
    /// 2. Its header carries a public key (`jwk`): P-256, or RSA of 2048 to 4096 bits.
    /// 3. What the key says of itself agrees with the header: `kid`, `alg`, `use` is `sig`, and `key_ops` has `verify`.
    /// 4. The algorithm is one of that key, and the signature is by it.
    /// 5. `iss` is an app of the node, `sub` the user, `challenge` the one that was given.
    /// 6. `exp` is not past, and not later than the node's time from now, `iat` and `nbf`, where they are, not in the future.
    package init(
        _ text: String,
        expecting expectation: JourneyClaims.Expectation,
        now: NumericDate
    ) throws(JourneyRefusal) {
        let message = try JourneyMessage(text)
        guard let key = message.key, key.keyID ?? message.keyID == message.keyID,
            key.algorithm ?? message.algorithm == message.algorithm, key.isForSignatures
        else { throw .keyRefused }
        guard message.isSigned(by: key.key, algorithm: message.algorithm) else { throw .wrongSignature }
        try message.claims.check(expectation, now: now)
        id = message.keyID
        self.key = key.key
        algorithm = message.algorithm
        application = message.claims.issuer
        claims = message.claims
        use = message.use
    }
}

/// A message that was verified to be by a bound key, whatever it says. Only ``JourneySigningVerifier`` makes one.
package struct SignedJourneyMessage: Hashable, Sendable {
    let device: JourneyDevice
    private let message: JourneyMessage

    fileprivate init(_ message: JourneyMessage, by device: JourneyDevice) {
        self.message = message
        self.device = device
    }

    /// What is to be remembered of the message so that it serves once, refused or not; nil if its own time says that it serves nobody now:
    /// it is too late, or it is to live for longer than anything is remembered. With the question that it came for it is over then.
    func use(timeout: Duration, now: NumericDate) -> JourneyMessageUse? {
        message.claims.canServe(timeout: timeout, now: now) ? message.use : nil
    }

    /// 3. `iss` is an app of the node and the one that bound the key, `sub` the user, `challenge` the one that was given.
    /// 4. `exp` is not past, and not later than the node's time from now, `iat` and `nbf`, where they are, not in the future.
    package func claims(
        expecting expectation: JourneyClaims.Expectation,
        now: NumericDate
    ) throws(JourneyRefusal) -> JourneyClaims {
        guard message.claims.issuer.isExactly(device.application) else { throw .wrongIssuer }
        try message.claims.check(expectation, now: now)
        return message.claims
    }
}

/// Verifies that a bound key has signed.
package struct JourneySigningVerifier: Sendable {
    private let decoys = DecoyKeys()

    package init() {}

    /// `message` was read before. A key that came along in its header does not count.
    ///
    /// 1. The user has a key of this name (`kid`).
    /// 2. The algorithm is the registered one, and the signature is by the registered key.
    ///
    /// Where there is no such key, or the signature cannot be by it for its algorithm or length, a decoy is tried, so that one refusal takes
    /// about as long as another. What the message says is for ``SignedJourneyMessage/claims(expecting:now:)`` to check.
    package func verify(
        _ message: JourneyMessage,
        by devices: [JourneyDevice]
    ) throws(JourneyRefusal) -> SignedJourneyMessage {
        let device = devices.first { $0.id == message.keyID }
        let byteCount = message.signature.count
        guard let device, device.algorithm == message.algorithm, device.key.canMakeSignature(byteCount: byteCount)
        else {
            if let decoy = decoys.key(for: message.algorithm, signatureByteCount: byteCount) {
                _ = message.isSigned(by: decoy, algorithm: message.algorithm)
            }
            throw device == nil ? .unknownKey : .wrongSignature
        }
        guard message.isSigned(by: device.key, algorithm: device.algorithm) else { throw .wrongSignature }
        return SignedJourneyMessage(message, by: device)
    }
}
