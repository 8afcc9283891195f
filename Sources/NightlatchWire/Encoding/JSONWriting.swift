extension JSONValueEncoder {
    /// Appends the digits of `integer`, without the cost of an intermediate text.
    static func write(_ integer: Int, to bytes: inout [UInt8]) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = integer.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // Reverses the digits in place. Reversing a slice would copy it.
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Copies the whole text at once if it needs no escapes.
        let isWritten: Bool? = unsafe text.utf8.withContiguousStorageIfAvailable { text in
            guard unsafe text.hasNone({ $0.match("\0"..."\u{1F}") | $0.match("\"") | $0.match("\\") }) else {
                return false
            }
            unsafe bytes.append(contentsOf: text)
            return true
        }
        if isWritten != true {
            for byte in text.utf8 { write(byte, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func write(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x08: bytes += #"\b"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0C: bytes += #"\f"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        case 0..<0x20: bytes += (#"\u00"# + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8
        default: bytes.append(byte)
        }
    }
}
