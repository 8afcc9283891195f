/// Whether a byte is one of those looked for. A number where a `Bool` would do: its `|` is no branch, so that the compiler can look at many
/// bytes with one instruction.
struct ByteMatch {
    /// 1 if it is, else 0.
    fileprivate let bit: UInt8

    static func | (one: Self, other: Self) -> Self { Self(bit: one.bit | other.bit) }
}

extension UInt8 {
    /// Whether it is `character`.
    func match(_ character: Unicode.Scalar) -> ByteMatch { ByteMatch(bit: self == UInt8(ascii: character) ? 1 : 0) }

    /// Whether it is one of `characters`, the first and the last among them.
    func match(_ characters: ClosedRange<Unicode.Scalar>) -> ByteMatch {
        // What is below the first becomes greater than any.
        let (first, last) = (UInt8(ascii: characters.lowerBound), UInt8(ascii: characters.upperBound))
        return ByteMatch(bit: self &- first <= last &- first ? 1 : 0)
    }

    var letterOrDigitMatch: ByteMatch { match("a"..."z") | match("A"..."Z") | match("0"..."9") }

    var isASCIILetterOrDigit: Bool { letterOrDigitMatch.bit == 1 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `test` matches each byte. All are looked at, whatever is found, as by ``hasNone(_:)``.
    func hasOnly(_ test: (UInt8) -> ByteMatch) -> Bool {
        unsafe reduce(1) { all, byte in all & test(byte).bit } == 1
    }

    /// Whether `test` matches no byte.
    func hasNone(_ test: (UInt8) -> ByteMatch) -> Bool {
        unsafe reduce(0) { any, byte in any | test(byte).bit } == 0
    }
}

extension String {
    /// Whether `test` matches each byte of the text in UTF-8. Looked at where they lie, bytes cost a fraction of what it takes to hand them
    /// out one by one.
    func hasOnly(_ test: (UInt8) -> ByteMatch) -> Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe bytes.hasOnly(test) }
            ?? utf8.allSatisfy { test($0).bit == 1 }
    }
}
