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
            case UInt8(ascii: "\\"): try scanEscape(into: &units)
            case 0..<0x20: throw .malformed(offset: offset - 1)
            default: units.append(byte)
            }
        }
        throw .malformed(offset: offset)
    }

    /// Adds to `units` what the escape stands for whose backslash has been read.
    private mutating func scanEscape(into units: inout [UInt8]) throws(StrictJSONError) {
        guard let letter = peek else { throw .malformed(offset: offset) }
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): units.append(contentsOf: try scanHexScalar().utf8)
        default: throw .malformed(offset: offset - 1)
        }
    }

    /// The digits after `\u`, and a second such escape after one that is half a pair.
    private mutating func scanHexScalar() throws(StrictJSONError) -> Unicode.Scalar {
        let unit = try scanHexUnit()
        guard UTF16.isLeadSurrogate(unit) else {
            guard let scalar = Unicode.Scalar(unit) else { throw .malformed(offset: offset) }
            return scalar
        }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        let trail = try scanHexUnit()
        let value = 0x10000 + ((UInt32(unit) & 0x3FF) << 10 | UInt32(trail) & 0x3FF)
        guard UTF16.isTrailSurrogate(trail), let scalar = Unicode.Scalar(value) else {
            throw .malformed(offset: offset)
        }
        return scalar
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
