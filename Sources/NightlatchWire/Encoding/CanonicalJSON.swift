package import Foundation

/// JSON in the one form that the JSON Canonicalization Scheme gives it, so that a hash over it says what was meant and not how it was
/// written ([RFC 8785](https://www.rfc-editor.org/rfc/rfc8785)).
///
/// What we hash has strings, whole numbers, arrays and objects alone. So the one hard part of the scheme, how fractions are
/// written, never comes up.
package enum CanonicalJSON: Hashable, Sendable {
    case string(String)
    /// A number that every reader of JSON reads as the same one: at most ``greatestInteger`` either way.
    case integer(Int)
    case array([CanonicalJSON])
    case object([String: CanonicalJSON])

    /// 2⁵³ − 1, beyond which readers that keep numbers as floating point lose digits
    /// ([RFC 7493, section 2.2](https://www.rfc-editor.org/rfc/rfc7493#section-2.2)).
    package static let greatestInteger = 9_007_199_254_740_991

    /// The bytes: UTF-8, without white space, members in the order of their names' UTF-16 code units.
    package var bytes: Data {
        var text = ""
        write(to: &text)
        return Data(text.utf8)
    }

    private func write(to text: inout String) {
        switch self {
        case .string(let string):
            Self.write(string, to: &text)
        case .integer(let integer):
            precondition(integer.magnitude <= Self.greatestInteger.magnitude, "not a number that JSON carries safely")
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

    /// Escapes what must be escaped, in the one way that the scheme has for each, and nothing else.
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
