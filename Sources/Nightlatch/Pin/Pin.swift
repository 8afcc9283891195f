import NightlatchWire

/// A PIN as it was typed: 4 to 12 decimal digits in zeroing memory.
///
/// That a ``Pin`` exists says nothing about whether it is right or strong; a ``Vault`` tells the one, a ``PinPolicy`` the other.
public struct Pin: ~Copyable, Sendable {
    /// How long any PIN may be.
    public static let lengths = 4...12

    /// The digits as ASCII.
    package let digits: SecretBytes

    /// Takes over `digits`, ASCII from `0` to `9`.
    ///
    /// - Throws: ``PinFormatError``; the bytes were wiped.
    public init(digits: consuming SecretBytes) throws(PinFormatError) {
        guard unsafe digits.withUnsafeBytes({ unsafe $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
            throw .notDigits
        }
        guard Self.lengths.contains(digits.byteCount) else { throw .length(allowed: Self.lengths) }
        self.digits = digits
    }

    /// How many digits the PIN has.
    public var length: Int { digits.byteCount }

    /// Whether both are the same PIN, in constant time; for asking twice when a PIN is made.
    public borrowing func isEqual(to other: borrowing Pin) -> Bool {
        digits.isEqual(to: other.digits)
    }

    /// A second owner of the same PIN.
    public borrowing func copy() -> Pin {
        Pin(unchecked: digits.copy())
    }

    /// 32 random bytes in the place of digits, which nobody knows or can type: for a slot that nothing is to open.
    static func ofNobody() -> Pin { Pin(unchecked: .random(byteCount: 32)) }

    /// An enrolment code in the place of digits. It is longer than any PIN, so nobody types it as one.
    static func of(_ code: EnrolmentCode) -> Pin {
        Pin(unchecked: SecretBytes(copying: Array(code.canonicalText.utf8)))
    }

    private init(unchecked digits: consuming SecretBytes) {
        self.digits = digits
    }
}

/// Why bytes are no PIN. Ask again; nothing was tried and nothing was counted.
public enum PinFormatError: Error, Hashable, Sendable {
    /// Something other than the digits 0 to 9.
    case notDigits
    /// Shorter or longer than any PIN may be.
    case length(allowed: ClosedRange<Int>)
}
