import Crypto
import Foundation

/// The one-time code with which a person binds a first device: 80 random bits in 16 characters of Crockford's base 32, and
/// four more that check them, in groups of four (`7K3D-…`).
///
/// The check finds a mistyped code before it is sent anywhere. It is no secret and proves nothing. A code is a secret: it
/// shows in no description or dump.
public struct EnrolmentCode: Hashable, Sendable {
    /// How long the random part is.
    public static let bitCount = 80

    /// The 20 characters without dashes, in the one way of writing them.
    public let canonicalText: String

    /// The longest text that is looked at, in bytes of UTF-8.
    private static let typedByteLimit = 256

    /// Returns nil for a text that cannot be a code. Small letters are taken as capitals, `O` as zero, `I` and `L` as one. White space,
    /// dashes and characters that cannot be seen may be anywhere: a code that is pasted from a mail or a page has them.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.typedByteLimit else { return nil }
        var symbols = ""
        // Scalars, because characters are equal to others that look like them: the kelvin sign to `K`.
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

    /// The code as a person reads it, in groups of four.
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
        let rule = "must be a string: an enrolment code of 20 letters and digits, typed without a mistake"
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
