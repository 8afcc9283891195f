import NightlatchTokenVerification
package import NightlatchWire

/// A key that the client wants to bind, after the client has proved that it holds the key.
///
/// Only ``init(_:expecting:now:)`` makes a value of this type.
package struct VerifiedJourneyBinding: Hashable, Sendable {
    package let id: JourneyKeyID
    package let key: PublicJWK
    let algorithm: SignatureAlgorithm
    package let application: String
    let claims: JourneyClaims
    /// The record that prevents a second use of the verified message.
    let use: JourneyMessageUse

    /// Verifies a binding message:
    ///
    /// 1. `text` is a compact JWS of a journey, of at most 16 KiB.
    /// 2. Its header carries a public key (`jwk`): P-256, or RSA of 2048 to 4096 bits.
    /// 3. The key's metadata, where present, agrees with the header (`kid` and `alg`) and is for signatures: `use` is
    ///    `sig`, and `key_ops` contains `verify`.
    /// 4. The algorithm fits the key, and the key made the signature.
    /// 5. `iss` is an app of the node, `sub` is the user, and `challenge` is the node's challenge.
    /// 6. `exp` is not in the past, and not further ahead than the node's timeout; `iat` and `nbf`, where present, are
    ///    not in the future.
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

/// A message that a bound key signed. Its claims are not checked yet. Only ``JourneySigningVerifier`` makes such a
/// value.
package struct SignedJourneyMessage: Hashable, Sendable {
    let device: JourneyDevice
    private let message: JourneyMessage

    fileprivate init(_ message: JourneyMessage, by device: JourneyDevice) {
        self.message = message
        self.device = device
    }

    /// The record that prevents a second use of the message, even if the message is refused.
    ///
    /// Nil if no record is needed: the message has expired, or expires later than the node permits. The node refuses
    /// such a message, and the refused answer consumes the question.
    func use(timeout: Duration, now: NumericDate) -> JourneyMessageUse? {
        message.claims.canServe(timeout: timeout, now: now) ? message.use : nil
    }

    /// Checks the claims, after the checks 1 and 2 of ``JourneySigningVerifier/verify(_:by:)``, and returns them:
    ///
    /// 3. `iss` is an app of the node and the app that bound the key, `sub` is the user, and `challenge` is the node's
    ///    challenge.
    /// 4. `exp` is not in the past, and not further ahead than the node's timeout; `iat` and `nbf`, where present, are
    ///    not in the future.
    package func claims(
        expecting expectation: JourneyClaims.Expectation,
        now: NumericDate
    ) throws(JourneyRefusal) -> JourneyClaims {
        guard message.claims.issuer.isExactly(device.application) else { throw .wrongIssuer }
        try message.claims.check(expectation, now: now)
        return message.claims
    }
}

/// Verifies the signatures of bound keys.
package struct JourneySigningVerifier: Sendable {
    private let decoys = DecoyKeys()

    package init() {}

    /// Verifies a parsed message. A key in its header is ignored.
    ///
    /// 1. The user has a key of this name (`kid`).
    /// 2. The algorithm is the registered algorithm, and the registered key made the signature.
    ///
    /// If there is no such key, or it cannot have made the signature because of its algorithm or length, a decoy key is
    /// tried, so that all refusals take about the same time. The claims are not checked here, but by
    /// ``SignedJourneyMessage/claims(expecting:now:)``.
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
