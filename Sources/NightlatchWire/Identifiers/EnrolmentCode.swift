import Crypto
import Foundation

/// A one-time code that allows a binding: 80 random bits, written as 16 characters of Crockford's base 32 and four
/// check characters, in groups of four (`7K3D-…`).
///
/// The check characters reveal a typing mistake before the code is sent. They are computed from the other characters
/// without a key, so they prove nothing. A code is a secret: descriptions and dumps do not show it.
public struct EnrolmentCode: Hashable, Sendable {
    /// The number of random bits.
    public static let bitCount = 80

    /// The code in its canonical form: 20 characters without dashes.
    public let canonicalText: String

    /// The length of the longest text that is parsed, in bytes of UTF-8.
    private static let typedByteLimit = 256

    /// Reads a code that a user typed or pasted. Returns nil for a text that cannot be a code.
    ///
    /// Lowercase letters count as uppercase, `O` as zero, `I` and `L` as one. White space, dashes and invisible
    /// characters may be anywhere, because codes that are pasted from a mail or a page contain them.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.typedByteLimit else { return nil }
        var symbols = ""
        // Compares scalars, because Swift treats some different characters as equal, such as the kelvin sign and `K`.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "O", "o": symbols.append("0")
            case "I", "i", "L", "l": symbols.append("1")
            case "a"..."z": symbols.append(Character(scalar).uppercased())
            default:
                guard PastedText(scalar) == .counts else { continue }
                guard scalar.isASCII, Self.alphabet.contains(Character(scalar)) else { return nil }
                symbols.unicodeScalars.append(scalar)
            }
        }
        guard symbols.allSatisfy(Self.alphabet.contains) else { return nil }
        guard symbols.count == 20, Self.check(of: symbols.prefix(16)) == symbols.suffix(4) else { return nil }
        canonicalText = symbols
    }

    private init(symbols: String) {
        canonicalText = symbols + Self.check(of: symbols[...])
    }

    /// A new code from the system's cryptographically secure generator.
    public static func random() -> Self {
        // 32 symbols: five bits of each random byte give one symbol without bias.
        Self(symbols: String(randomBytes(count: bitCount / 5).map { alphabet[Int($0 & 31)] }))
    }

    /// The code as it is shown to a user, in groups of four.
    public var groupedText: String {
        stride(from: 0, to: canonicalText.count, by: 4)
            .map { canonicalText.dropFirst($0).prefix(4) }
            .joined(separator: "-")
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    private static func check(of symbols: Substring) -> String {
        let digest = SHA256.hash(data: Data("nightlatch enrolment code".utf8) + Data(symbols.utf8))
        return String(digest.prefix(4).map { alphabet[Int($0 & 31)] })
    }
}

extension EnrolmentCode: CustomStringConvertible, CustomReflectable {
    public var description: String { "(enrolment code)" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension EnrolmentCode: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rule = "must be a string: an enrolment code of 20 letters and digits with correct check characters"
        guard let code = Self(try container.decode(String.self, rule: rule)) else {
            throw DecodingError.broken(rule, at: container.codingPath)
        }
        self = code
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(groupedText)
    }
}
