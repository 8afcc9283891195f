public import NightlatchWire

/// Reads JSON as RFC 8259 defines it. It shares no code with the parser under test.
///
/// It keeps a stack where the parser is recursive, and UTF-16 where the parser keeps UTF-8.
public struct JSONReference {
    public private(set) var tokens: [JSONToken] = []
    /// The greatest number of arrays and objects that are open at the same time.
    public private(set) var depth = 0
    /// Whether an object has two equal names. Canonically equivalent names are equal.
    public private(set) var hasDuplicateNames = false
    /// The number of UTF-8 bytes in all names that are not ASCII.
    public private(set) var otherNameByteCount = 0

    /// Whether a strict parser accepts the document within `limits`.
    public func isStrict(within limits: JSONLimits) -> Bool {
        !hasDuplicateNames && depth <= limits.depth && otherNameByteCount <= limits.normalizedNameByteCount
    }

    private enum Open {
        case array
        case object(names: Set<String>)
    }

    private enum Expected {
        case value
        case valueOrEnd
        case name
        case nameOrEnd
        case colon
        case commaOrEnd
    }

    private var input: ArraySlice<UInt8>
    private var open: [Open] = []
    private var expected = Expected.value

    /// Returns nil unless `document` is JSON.
    public init?(_ document: [UInt8]) {
        input = document[...]
        while !isAtEnd {
            guard step() else { return nil }
        }
        skipWhitespace()
        guard input.isEmpty else { return nil }
    }

    /// Whether a complete value was read.
    private var isAtEnd: Bool {
        if open.isEmpty, case .commaOrEnd = expected { true } else { false }
    }

    private mutating func skipWhitespace() {
        input = input.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Reads one token. Returns false if it is not allowed at this position.
    private mutating func step() -> Bool {
        skipWhitespace()
        guard let first = input.first.map({ Character(UnicodeScalar($0)) }) else { return false }
        switch (expected, first) {
        case (.valueOrEnd, "]"), (.nameOrEnd, "}"): return close(first)
        case (.value, _), (.valueOrEnd, _): return value(first)
        case (.name, "\""), (.nameOrEnd, "\""): return name()
        case (.colon, ":"): return punctuation(.value)
        case (.commaOrEnd, ","):
            if case .array = open.last { return punctuation(.value) }
            return punctuation(.name)
        case (.commaOrEnd, "]"), (.commaOrEnd, "}"): return close(first)
        default: return false
        }
    }

    private mutating func punctuation(_ next: Expected) -> Bool {
        input.removeFirst()
        expected = next
        return true
    }

    private mutating func begin(_ container: Open, _ token: JSONToken, _ next: Expected) -> Bool {
        open.append(container)
        depth = max(depth, open.count)
        tokens.append(token)
        return punctuation(next)
    }

    private mutating func close(_ bracket: Character) -> Bool {
        switch (open.popLast(), bracket) {
        case (.array, "]"): tokens.append(.closeArray)
        case (.object, "}"): tokens.append(.closeObject)
        default: return false
        }
        return punctuation(.commaOrEnd)
    }

    private mutating func value(_ first: Character) -> Bool {
        switch first {
        case "{": return begin(.object(names: []), .openObject, .nameOrEnd)
        case "[": return begin(.array, .openArray, .valueOrEnd)
        case "\"":
            guard let units = JSONStringReference.read(from: &input) else { return false }
            tokens.append(.string(units))
        case "a"..."z":
            let word = String(decoding: input.prefix { (0x61...0x7A).contains($0) }, as: UTF8.self)
            guard ["null", "true", "false"].contains(word) else { return false }
            tokens.append(.literal(word))
            input = input.dropFirst(word.utf8.count)
        default:
            let number = input.prefix { "+-.0123456789eE".utf8.contains($0) }
            guard Self.isNumber(number) else { return false }
            tokens.append(.number(String(decoding: number, as: UTF8.self)))
            input = input[number.endIndex...]
        }
        expected = .commaOrEnd
        return true
    }

    private mutating func name() -> Bool {
        guard case .object(var names) = open.popLast(), let units = JSONStringReference.read(from: &input) else {
            return false
        }
        let name = String(decoding: units, as: UTF16.self)
        if !name.unicodeScalars.allSatisfy(\.isASCII) { otherNameByteCount += name.utf8.count }
        if !names.insert(name).inserted { hasDuplicateNames = true }
        open.append(.object(names: names))
        tokens.append(.name(units))
        expected = .colon
        return true
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        /// Skips the next byte if it is one of `signs`. Returns whether it did.
        func take(_ signs: String) -> Bool {
            guard let first = rest.first, signs.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func digits() -> ArraySlice<UInt8> {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return digits
        }
        _ = take("-")
        let whole = digits()
        guard let first = whole.first, first != UInt8(ascii: "0") || whole.count == 1 else { return false }
        if take("."), digits().isEmpty { return false }
        if take("eE") {
            _ = take("+-")
            if digits().isEmpty { return false }
        }
        return rest.isEmpty
    }
}
