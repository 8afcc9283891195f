/// A point of P-384 other than the one at infinity, as SEC 1 writes it compressed, in ``Base64URL``: 49 bytes, the first of them 2 or 3.
///
/// The grammar does not know whether there is a point with such an x: who calculates with it finds out.
public protocol CurvePointRule: IdentifierRule {}

extension CurvePointRule {
    public static func accepts(_ text: String) -> Bool {
        // The length first: it bounds the work on texts from outside.
        guard text.utf8.count == 66, let bytes = Base64URL.decode(text) else { return false }
        return isCompressed(bytes)
    }

    static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.count == 49 && (2...3).contains(bytes[0]) }
}

extension Identifier where Rule: CurvePointRule {
    /// Returns nil unless `bytes` has the form of a compressed point.
    public init?(bytes: [UInt8]) {
        guard Rule.isCompressed(bytes) else { return nil }
        self.init(unchecked: Base64URL.encode(bytes))
    }

    /// The point as SEC 1 writes it compressed, 49 bytes.
    public var bytes: [UInt8] {
        // The grammar was checked when the identifier was made.
        Base64URL.decode(rawValue) ?? []
    }
}

/// What a device has evaluated: its input, blinded ([RFC 9497, section 3.3.2](https://www.rfc-editor.org/rfc/rfc9497#section-3.3.2)).
/// It is a random point, whatever the PIN.
public typealias BlindedElement = Identifier<BlindedElementRule>

public enum BlindedElementRule: CurvePointRule {
    public static let name = "blinded element"
}

/// What the relying party's key makes of a ``BlindedElement``.
public typealias EvaluatedElement = Identifier<EvaluatedElementRule>

public enum EvaluatedElementRule: CurvePointRule {
    public static let name = "evaluated element"
}

/// The public key of an epoch. The device pins it: an evaluation by another key is none.
public typealias PinPublicKey = Identifier<PinPublicKeyRule>

public enum PinPublicKeyRule: CurvePointRule {
    public static let name = "public key of an epoch"
}

/// The proof that an evaluation was made with the key of the epoch: challenge and response, 48 bytes each
/// ([RFC 9497, section 2.2.1](https://www.rfc-editor.org/rfc/rfc9497#section-2.2.1)).
public typealias EvaluationProof = Identifier<EvaluationProofRule>

public enum EvaluationProofRule: BinaryIdentifierRule {
    public static let name = "proof of an evaluation"
    public static let byteCount = 96
}

/// A guess that was charged: 32 random bytes that the relying party makes then, so nobody can sign a proof before there is a guess.
public typealias PinGuessID = Identifier<PinGuessIDRule>

public enum PinGuessIDRule: BinaryIdentifierRule {
    public static let name = "guess id"
    public static let byteCount = 32
}
