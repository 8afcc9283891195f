/// Parses a JSON document in one pass. Throws at the first violation of the strict rules.
struct JSONParser {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private let combiningRunLimit: Int?
    private var offset = 0
    /// The number of bytes of names that may still be normalised.
    private var normalizedNameBytesLeft: Int

    /// - Parameters:
    ///   - bytes: The document, no longer than `limits` allow.
    ///   - limits: The limits on its content.
    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        depthLimit = limits.depth
        combiningRunLimit = limits.combiningRunLimit
        normalizedNameBytesLeft = limits.normalizedNameByteCount
    }

    mutating func parseDocument() throws(StrictJSONError) -> JSONValue {
        let value = try parseValue(depth: 0)
        skipWhitespace()
        guard offset == bytes.count else { throw .malformed(offset: offset) }
        return value
    }

    private mutating func parseValue(depth: Int) throws(StrictJSONError) -> JSONValue {
        skipWhitespace()
        switch peek {
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try parseArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parse("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse("null", as: .null)
        default: return .number(try parseNumber())
        }
    }

    private mutating func parseObject(depth: Int) throws(StrictJSONError) -> JSONObject {
        guard depth <= depthLimit else { throw .tooDeep }
        offset += 1
        var object = JSONObject()
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return object }
        // Ends: each iteration reads at least one byte, or throws.
        while true {
            skipWhitespace()
            let name = try parseName()
            guard !object.contains(name) else { throw .duplicateMember(name) }
            skipWhitespace()
            try expect(UInt8(ascii: ":"))
            object.add(name, try parseValue(depth: depth))
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return object }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func parseName() throws(StrictJSONError) -> String {
        let name = try parseString()
        if !name.hasOnly({ $0.match("\u{0}"..."\u{7F}") }) {
            normalizedNameBytesLeft -= name.utf8.count
            guard normalizedNameBytesLeft >= 0 else { throw .tooLarge }
        }
        return name
    }

    private mutating func parseArray(depth: Int) throws(StrictJSONError) -> [JSONValue] {
        guard depth <= depthLimit else { throw .tooDeep }
        offset += 1
        var values: [JSONValue] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return values }
        // Ends: each iteration reads at least one byte, or throws.
        while true {
            values.append(try parseValue(depth: depth))
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return values }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Parses a string and resolves its escapes, so that `"a"` and `"\u0061"` are the same name.
    private mutating func parseString() throws(StrictJSONError) -> String {
        let start = offset
        try expect(UInt8(ascii: "\""))
        let isASCII = skipPlainText()
        switch peek {
        case UInt8(ascii: "\""):
            let units = bytes[(start + 1)..<offset]
            offset += 1
            // Every sequence of ASCII bytes is valid UTF-8.
            return isASCII ? String(decoding: units, as: UTF8.self) : try text(of: units, at: start)
        case UInt8(ascii: "\\"): return try parseEscapedString(at: start)
        default: throw .malformed(offset: offset)
        }
    }

    /// Skips to the next quotation mark, backslash or control byte, or to the end. Returns whether all skipped bytes
    /// are ASCII.
    private mutating func skipPlainText() -> Bool {
        // Uses the storage directly, because an array checks its bounds at each byte.
        let (end, bits) = unsafe bytes.withUnsafeBufferPointer { bytes in
            var (index, bits) = (offset, UInt8(0))
            while index < bytes.count {
                let byte = unsafe bytes[index]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
                bits |= byte
                index += 1
            }
            return (index, bits)
        }
        offset = end
        return bits < 0x80
    }

    /// Parses the string that began at `start`. The next byte is its first backslash.
    private mutating func parseEscapedString(at start: Int) throws(StrictJSONError) -> String {
        var units = Array(bytes[(start + 1)..<offset])
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(of: units[...], at: start)
            case UInt8(ascii: "\\"): try parseEscape(into: &units)
            case 0..<0x20: throw .malformed(offset: offset - 1)
            default: units.append(byte)
            }
        }
        throw .malformed(offset: offset)
    }

    private func text(of units: ArraySlice<UInt8>, at start: Int) throws(StrictJSONError) -> String {
        // Decoding repairs invalid UTF-8. The text is valid if it has the same bytes as the input.
        let text = String(decoding: units, as: UTF8.self)
        guard text.utf8.elementsEqual(units) else { throw .malformed(offset: start) }
        if let combiningRunLimit, !StreamSafeText.accepts(text, longestRun: combiningRunLimit) {
            throw .malformed(offset: start)
        }
        return text
    }

    /// Parses the rest of an escape after its backslash, and appends the escaped character to `units`.
    private mutating func parseEscape(into units: inout [UInt8]) throws(StrictJSONError) {
        guard let letter = peek else { throw .malformed(offset: offset) }
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): units.append(contentsOf: try parseHexScalar().utf8)
        default: throw .malformed(offset: offset - 1)
        }
    }

    /// Parses the digits after `\u`, and a second such escape if the first is a lead surrogate.
    private mutating func parseHexScalar() throws(StrictJSONError) -> Unicode.Scalar {
        let unit = try parseHexUnit()
        guard UTF16.isLeadSurrogate(unit) else {
            guard let scalar = Unicode.Scalar(unit) else { throw .malformed(offset: offset) }
            return scalar
        }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        let trail = try parseHexUnit()
        let value = 0x10000 + ((UInt32(unit) & 0x3FF) << 10 | UInt32(trail) & 0x3FF)
        guard UTF16.isTrailSurrogate(trail), let scalar = Unicode.Scalar(value) else {
            throw .malformed(offset: offset)
        }
        return scalar
    }

    private mutating func parseHexUnit() throws(StrictJSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Self.hexadecimalDigit(byte) else { throw .malformed(offset: offset) }
            unit = unit << 4 | digit
            offset += 1
        }
        return unit
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    private mutating func parseNumber() throws(StrictJSONError) -> String {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try skipDigits() }
        if take(UInt8(ascii: ".")) { try skipDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try skipDigits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func skipDigits() throws(StrictJSONError) {
        let start = offset
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        guard offset > start else { throw .malformed(offset: offset) }
    }

    private mutating func parse(_ literal: String, as value: JSONValue) throws(StrictJSONError) -> JSONValue {
        for byte in literal.utf8 { try expect(byte) }
        return value
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(StrictJSONError) {
        guard take(byte) else { throw .malformed(offset: offset) }
    }
}
