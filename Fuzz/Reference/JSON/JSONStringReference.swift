/// Reads a JSON string as RFC 8259 defines it.
enum JSONStringReference {
    private static let escapes: [UInt8: UInt16] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// Removes a string, with its quotes, from the beginning of `input`. Returns nil if the string is malformed.
    static func read(from input: inout ArraySlice<UInt8>) -> [UInt16]? {
        var units: [UInt16] = []
        input.removeFirst()
        while let byte = input.first {
            switch byte {
            case UInt8(ascii: "\""):
                input.removeFirst()
                return isUTF16(units) ? units : nil
            case UInt8(ascii: "\\"):
                guard let unit = escape(from: &input) else { return nil }
                units.append(unit)
            case 0..<0x20: return nil
            default:
                let plain = input.prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                let isBroken = transcode(
                    plain.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: true
                ) { units.append($0) }
                guard !isBroken else { return nil }
                input = input[plain.endIndex...]
            }
        }
        return nil
    }

    private static func escape(from input: inout ArraySlice<UInt8>) -> UInt16? {
        guard let letter = input.dropFirst().first else { return nil }
        input = input.dropFirst(2)
        guard letter == UInt8(ascii: "u") else { return escapes[letter] }
        let digits = input.prefix(4)
        guard digits.count == 4, !digits.contains(UInt8(ascii: "+")) else { return nil }
        input = input.dropFirst(4)
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Whether every surrogate is part of a pair.
    private static func isUTF16(_ units: [UInt16]) -> Bool {
        let text = String(decoding: units, as: UTF16.self)
        return text.utf16.elementsEqual(units)
    }
}
