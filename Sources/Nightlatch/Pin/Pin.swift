import NightlatchWire

/// A PIN as the user typed it: 4 to 12 decimal digits in zeroing memory.
///
/// A ``Pin`` may be right or wrong, strong or weak: a ``Vault`` tests whether it is right, a ``PinPolicy`` whether it
/// is strong.
public struct Pin: ~Copyable, Sendable {
    /// The lengths that any PIN may have.
    public static let lengths = 4...12

    /// The digits as ASCII, in zeroing memory.
    public let digits: SecretBytes

    /// Creates a PIN from `digits`, ASCII from `0` to `9`.
    ///
    /// - Throws: ``PinFormatError``; the bytes are then wiped.
    public init(digits: consuming SecretBytes) throws(PinFormatError) {
        guard unsafe digits.withUnsafeBytes({ unsafe $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
            throw .notDigits
        }
        guard Self.lengths.contains(digits.byteCount) else { throw .length(allowed: Self.lengths) }
        self.digits = digits
    }

    /// The number of digits.
    public var length: Int { digits.byteCount }

    /// Whether this PIN and `other` are equal, compared in constant time. Use it when the user types a new PIN twice.
    public borrowing func isEqual(to other: borrowing Pin) -> Bool {
        digits.isEqual(to: other.digits)
    }

    /// Returns an independent copy of the PIN.
    public borrowing func copy() -> Pin {
        Pin(unchecked: digits.copy())
    }

    /// Returns 32 random bytes instead of digits, for a slot that must never open. They are not kept, and no user can
    /// type them.
    static func ofNobody() -> Pin { Pin(unchecked: .random(byteCount: 32)) }

    /// Returns an enrolment code instead of digits. It is longer than any PIN, so no user types it as one.
    static func of(_ code: EnrolmentCode) -> Pin {
        Pin(unchecked: SecretBytes(copying: Array(code.canonicalText.utf8)))
    }

    private init(unchecked digits: consuming SecretBytes) {
        self.digits = digits
    }
}

/// An error that occurs while creating a PIN. Ask again; nothing was tried and nothing was counted.
public enum PinFormatError: Error, Hashable, Sendable {
    /// There is a character other than the digits 0 to 9.
    case notDigits
    /// The PIN is shorter or longer than any PIN may be.
    case length(allowed: ClosedRange<Int>)
}
