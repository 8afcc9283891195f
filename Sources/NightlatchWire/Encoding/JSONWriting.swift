extension JSONValueEncoder {
    /// Appends the value to `bytes`: members in the order of their names, no white space, no needless escapes.
    func write(to bytes: inout [UInt8]) {
        switch content {
        case .nothing: bytes += "{}".utf8
        case .scalar(let value): Self.write(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): Self.write(members, to: &bytes)
        }
    }

    private static func write(_ members: [(name: String, value: Member)], to bytes: inout [UInt8]) {
        // Sorting is stable: what was encoded later under one name stands later.
        let sorted = isSorted(members) ? members : members.sorted { $0.name < $1.name }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (index, member) in sorted.enumerated() {
            // Of what was encoded twice, the last stands.
            if index + 1 < sorted.count, sorted[index + 1].name == member.name { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch member.value {
            case .scalar(let value): write(value, to: &bytes)
            case .integer(let integer): write(integer, to: &bytes)
            case .value(let value): value.write(to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Types that write themselves often do so in order.
    private static func isSorted(_ members: [(name: String, value: Member)]) -> Bool {
        for (index, member) in members.enumerated().dropFirst() where member.name < members[index - 1].name {
            return false
        }
        return true
    }

    private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): write(text, to: &bytes)
        case .array, .object: break
        }
    }

    /// Appends the digits of `integer`: a text of them first would cost more than they do.
    private static func write(_ integer: Int, to bytes: inout [UInt8]) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = integer.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // In place; what reverses a slice would copy all of it.
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        if text.hasOnly({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 {
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
}
