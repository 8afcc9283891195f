public import NightlatchWire

/// A name of a person: 1 to 140 characters, of the same kind as in a `DeviceName`.
public typealias PersonName = Identifier<PersonNameRule>

public enum PersonNameRule: ShownTextRule {
    public static let name = "name"
    public static let characterCountLimit = 140
}

/// An email address: `local@domain` in ASCII, without quotes and comments ([RFC 5321, section
/// 4.1.2](https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2)).
///
/// The local part has 1 to 64 characters, the address at most 254. The domain has at least two labels. Only a message
/// to the address can prove that it exists.
public typealias EmailAddress = Identifier<EmailAddressRule>

public enum EmailAddressRule: IdentifierRule {
    public static let name = "email address"
    public static let requirement = "an email address in ASCII, such as alice@example.com"
    public static let byteCountLimit = 254

    public static func accepts(_ text: String) -> Bool {
        guard text.utf8.count <= byteCountLimit else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count <= 64 else { return false }
        let atoms = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1 && atoms.allSatisfy(isAtom) && labels.allSatisfy(isLabel)
    }

    private static func isAtom(_ bytes: Substring.UTF8View) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }

    private static func isLabel(_ bytes: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(bytes.count) && bytes.first != hyphen && bytes.last != hyphen
            && bytes.allSatisfy { $0.isASCIILetterOrDigit || $0 == hyphen }
    }
}

/// A telephone number as it was entered, such as `+43 1 234-56`: 3 to 32 digits, spaces and characters of `+-.()`.
///
/// The first character is a digit, `+` or `(`, and the last one is a digit.
public typealias PhoneNumber = Identifier<PhoneNumberRule>

public enum PhoneNumberRule: IdentifierRule {
    public static let name = "telephone number"
    public static let requirement =
        "3 to 32 digits, spaces and characters of + - . ( ), the first a digit, + or (, the last a digit"

    public static func accepts(_ text: String) -> Bool {
        let digits = "0123456789".utf8
        guard (3...32).contains(text.utf8.count), let first = text.utf8.first, let last = text.utf8.last else {
            return false
        }
        return (digits.contains(first) || "+(".utf8.contains(first)) && digits.contains(last)
            && text.utf8.allSatisfy { digits.contains($0) || " +-.()".utf8.contains($0) }
    }
}
