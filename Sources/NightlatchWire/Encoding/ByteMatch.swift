/// The result of comparing a byte.
///
/// It is a number instead of a `Bool`, because its `|` does not branch. So the compiler can compare many bytes with one
/// instruction.
struct ByteMatch {
    /// 1 for a match, otherwise 0.
    fileprivate let bit: UInt8

    static func | (one: Self, other: Self) -> Self { Self(bit: one.bit | other.bit) }
}

extension UInt8 {
    /// Whether the byte is `character`.
    func match(_ character: Unicode.Scalar) -> ByteMatch { ByteMatch(bit: self == UInt8(ascii: character) ? 1 : 0) }

    /// Whether the byte is in the range `characters`.
    func match(_ characters: ClosedRange<Unicode.Scalar>) -> ByteMatch {
        // The subtraction wraps, so bytes below the first become greater than any in the range.
        let (first, last) = (UInt8(ascii: characters.lowerBound), UInt8(ascii: characters.upperBound))
        return ByteMatch(bit: self &- first <= last &- first ? 1 : 0)
    }

    var letterOrDigitMatch: ByteMatch { match("a"..."z") | match("A"..."Z") | match("0"..."9") }

    /// Whether the byte is a letter or a digit of ASCII.
    public var isASCIILetterOrDigit: Bool { letterOrDigitMatch.bit == 1 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `test` matches each byte. The loop does not stop early, which lets the compiler compare many bytes at
    /// once.
    func hasOnly(_ test: (UInt8) -> ByteMatch) -> Bool {
        unsafe reduce(1) { all, byte in all & test(byte).bit } == 1
    }

    /// Whether `test` matches no byte. The loop does not stop early either.
    func hasNone(_ test: (UInt8) -> ByteMatch) -> Bool {
        unsafe reduce(0) { any, byte in any | test(byte).bit } == 0
    }
}

extension String {
    /// Whether `test` matches each byte of the text in UTF-8. Access to the contiguous storage costs a fraction of
    /// iterating over the text.
    func hasOnly(_ test: (UInt8) -> ByteMatch) -> Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe bytes.hasOnly(test) }
            ?? utf8.allSatisfy { test($0).bit == 1 }
    }
}
