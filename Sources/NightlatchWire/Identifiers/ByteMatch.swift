/// Whether a byte is one of those looked for. A number where a `Bool` would do: its `|` is no branch, and a loop without branches takes
/// sixteen bytes at once.
struct ByteMatch {
    /// 1 if it is, else 0.
    fileprivate let bit: UInt8

    static func | (one: Self, other: Self) -> Self { Self(bit: one.bit | other.bit) }
}

extension UInt8 {
    func match(_ character: Unicode.Scalar) -> ByteMatch { ByteMatch(bit: self == UInt8(ascii: character) ? 1 : 0) }

    func match(_ characters: ClosedRange<Unicode.Scalar>) -> ByteMatch {
        let (first, last) = (UInt8(ascii: characters.lowerBound), UInt8(ascii: characters.upperBound))
        return ByteMatch(bit: self &- first <= last &- first ? 1 : 0)
    }

    var matchLetterOrDigit: ByteMatch { match("a"..."z") | match("A"..."Z") | match("0"..."9") }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether each byte is a match. All are looked at, whatever is found, as by ``hasNone(of:)``.
    func hasOnly(_ match: (UInt8) -> ByteMatch) -> Bool {
        unsafe reduce(1) { all, byte in all & match(byte).bit } == 1
    }

    /// Whether no byte is a match.
    func hasNone(of match: (UInt8) -> ByteMatch) -> Bool {
        unsafe reduce(0) { any, byte in any | match(byte).bit } == 0
    }
}

extension String {
    /// Whether each byte of the text in UTF-8 is a match. Looked at where they lie, bytes cost a fraction of what it takes to hand them
    /// out one by one.
    func hasOnly(_ match: (UInt8) -> ByteMatch) -> Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe bytes.hasOnly(match) }
            ?? utf8.allSatisfy { match($0).bit == 1 }
    }
}
