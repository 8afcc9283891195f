package import Foundation

/// JSON in the form of the JSON Canonicalization Scheme ([RFC 8785](https://www.rfc-editor.org/rfc/rfc8785)). Equal
/// values have equal bytes, and therefore equal hashes.
///
/// Hashed values contain no fractions. So the difficult part of the scheme, their format, is not needed.
package enum CanonicalJSON: Hashable, Sendable {
    case string(String)
    case bool(Bool)
    /// An integer that every JSON reader reads exactly: its magnitude is at most ``greatestInteger``.
    case integer(Int)
    case array([CanonicalJSON])
    case object([String: CanonicalJSON])

    /// 2⁵³ − 1. Readers that store numbers as floating point lose digits above it
    /// ([RFC 7493, section 2.2](https://www.rfc-editor.org/rfc/rfc7493#section-2.2)).
    package static let greatestInteger = 9_007_199_254_740_991

    /// The canonical form: UTF-8, without white space, members sorted by the UTF-16 code units of their names.
    package var bytes: Data {
        var text = ""
        write(to: &text)
        return Data(text.utf8)
    }

    private func write(to text: inout String) {
        switch self {
        case .string(let string):
            Self.write(string, to: &text)
        case .bool(let bool):
            text += bool ? "true" : "false"
        case .integer(let integer):
            precondition(integer.magnitude <= Self.greatestInteger.magnitude, "the number is too large for JSON")
            text += String(integer)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            let sorted = members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Escapes only what the scheme requires, in its form for each character.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{08}": text += "\\b"
            case "\t": text += "\\t"
            case "\n": text += "\\n"
            case "\u{0C}": text += "\\f"
            case "\r": text += "\\r"
            case "\u{00}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
