extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension String {
    /// Whether `isWanted` holds for each byte of the text in UTF-8. Looked at where they lie, bytes cost a fraction of what it takes to
    /// hand them out one by one.
    func hasOnly(_ isWanted: (UInt8) -> Bool) -> Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe bytes.allSatisfy(isWanted) }
            ?? utf8.allSatisfy(isWanted)
    }
}
