/// Walks over a JSON document once, without building anything, and throws at the first thing that is not strict.
struct JSONScanner {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var offset = 0

    init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func scanDocument() throws(StrictJSONError) {
        try scanValue(depth: 0)
        skipWhitespace()
        guard offset == bytes.count else { throw .malformed(offset: offset) }
    }

    private mutating func scanValue(depth: Int) throws(StrictJSONError) {
        skipWhitespace()
        switch peek {
        case UInt8(ascii: "{"): try scanObject(depth: depth + 1)
        case UInt8(ascii: "["): try scanArray(depth: depth + 1)
        case UInt8(ascii: "\""): _ = try scanString()
        case UInt8(ascii: "t"): try scanLiteral("true")
        case UInt8(ascii: "f"): try scanLiteral("false")
        case UInt8(ascii: "n"): try scanLiteral("null")
        default: try scanNumber()
        }
    }

    private mutating func scanObject(depth: Int) throws(StrictJSONError) {
        guard depth <= depthLimit else { throw .tooDeep }
        offset += 1
        // Names that are canonically equivalent (`é` in one scalar or in two) count as the same one, as they do for
        // Foundation's decoder, which keeps only one of them.
        var names = Set<String>()
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return }
        while true {
            skipWhitespace()
            let name = try scanString()
            guard names.insert(name).inserted else { throw .duplicateMember(name) }
            skipWhitespace()
            try expect(UInt8(ascii: ":"))
            try scanValue(depth: depth)
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func scanArray(depth: Int) throws(StrictJSONError) {
        guard depth <= depthLimit else { throw .tooDeep }
        offset += 1
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return }
        while true {
            try scanValue(depth: depth)
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return }
            try expect(UInt8(ascii: ","))
        }
    }

    /// The string with its escapes resolved, so that `"a"` and `"\u0061"` count as the same name.
    private mutating func scanString() throws(StrictJSONError) -> String {
        let start = offset
        try expect(UInt8(ascii: "\""))
        var units: [UInt8] = []
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                // Decoding mends what is not UTF-8, so what comes out has to be what went in.
                let text = String(decoding: units, as: UTF8.self)
                guard text.utf8.elementsEqual(units) else { throw .malformed(offset: start) }
                return text
            case UInt8(ascii: "\\"): units.append(contentsOf: try scanEscape())
            case 0..<0x20: throw .malformed(offset: offset - 1)
            default: units.append(byte)
            }
        }
        throw .malformed(offset: offset)
    }

    private mutating func scanEscape() throws(StrictJSONError) -> [UInt8] {
        let simple: [UInt8: UInt8] = [
            UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
            UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]
        guard let letter = peek else { throw .malformed(offset: offset) }
        offset += 1
        if let resolved = simple[letter] { return [resolved] }
        guard letter == UInt8(ascii: "u") else { throw .malformed(offset: offset - 1) }
        var units = [try scanHexUnit()]
        if UTF16.isLeadSurrogate(units[0]) {
            try expect(UInt8(ascii: "\\"))
            try expect(UInt8(ascii: "u"))
            units.append(try scanHexUnit())
        }
        let text = String(decoding: units, as: UTF16.self)
        guard text.utf16.elementsEqual(units) else { throw .malformed(offset: offset) }
        return Array(text.utf8)
    }

    private mutating func scanHexUnit() throws(StrictJSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw .malformed(offset: offset)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    private mutating func scanNumber() throws(StrictJSONError) {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try scanDigits() }
        if take(UInt8(ascii: ".")) { try scanDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try scanDigits()
        }
    }

    private mutating func scanDigits() throws(StrictJSONError) {
        let start = offset
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        guard offset > start else { throw .malformed(offset: offset) }
    }

    private mutating func scanLiteral(_ literal: StaticString) throws(StrictJSONError) {
        for byte in literal.description.utf8 { try expect(byte) }
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhitespace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
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
