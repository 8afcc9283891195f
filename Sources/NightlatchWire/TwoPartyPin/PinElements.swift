/// The grammar of a point of P-384 other than infinity: its compressed form of SEC 1 in ``Base64URL``, 49 bytes with a
/// first byte of 2 or 3.
///
/// The grammar does not check that the x coordinate is on the curve. The code that computes with the point checks it.
public protocol CurvePointRule: IdentifierRule {}

extension CurvePointRule {
    public static func accepts(_ text: String) -> Bool {
        // Check the length first. It bounds the work on untrusted text.
        guard text.utf8.count == 66, let bytes = Base64URL.decode(text) else { return false }
        return isCompressed(bytes)
    }

    static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.count == 49 && (2...3).contains(bytes[0]) }
}

extension Identifier where Rule: CurvePointRule {
    /// Creates an element. Returns nil unless `bytes` has the form of a compressed point.
    public init?(bytes: [UInt8]) {
        guard Rule.isCompressed(bytes) else { return nil }
        self.init(unchecked: Base64URL.encode(bytes))
    }

    /// The compressed form of the point (SEC 1), 49 bytes.
    public var bytes: [UInt8] {
        // The text is valid base64url, so decoding does not fail.
        Base64URL.decode(rawValue) ?? []
    }
}

/// The blinded input that a device sends for evaluation
/// ([RFC 9497, section 3.3.2](https://www.rfc-editor.org/rfc/rfc9497#section-3.3.2)). It is a random point, whatever
/// the PIN.
public typealias BlindedElement = Identifier<BlindedElementRule>

public enum BlindedElementRule: CurvePointRule {
    public static let name = "blinded element"
}

/// The result of evaluating a ``BlindedElement`` with the relying party's key.
public typealias EvaluatedElement = Identifier<EvaluatedElementRule>

public enum EvaluatedElementRule: CurvePointRule {
    public static let name = "evaluated element"
}

/// The public key of an epoch. The device pins it and accepts no evaluation by another key.
public typealias PinPublicKey = Identifier<PinPublicKeyRule>

public enum PinPublicKeyRule: CurvePointRule {
    public static let name = "public key of an epoch"
}

/// A proof that an evaluation used the key of the epoch: challenge and response, 48 bytes each
/// ([RFC 9497, section 2.2.1](https://www.rfc-editor.org/rfc/rfc9497#section-2.2.1)).
public typealias EvaluationProof = Identifier<EvaluationProofRule>

public enum EvaluationProofRule: BinaryIdentifierRule {
    public static let name = "proof of an evaluation"
    public static let byteCount = 96
}

/// The id of a charged guess: 32 random bytes.
///
/// The relying party makes them when it charges the guess, so a proof cannot be signed in advance.
public typealias PinGuessID = Identifier<PinGuessIDRule>

public enum PinGuessIDRule: BinaryIdentifierRule {
    public static let name = "guess id"
    public static let byteCount = 32
}
