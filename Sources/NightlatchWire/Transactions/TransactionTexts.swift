/// An amount of money: a decimal number with up to 15 digits, and optionally a point and up to four more digits.
///
/// It has no sign, exponent or leading zeros. It is shown unchanged. `129.90` and `129.9` are different texts with
/// different hashes.
public typealias MoneyAmount = Identifier<MoneyAmountRule>

public enum MoneyAmountRule: IdentifierRule {
    public static let name = "amount"
    public static let requirement =
        "a decimal number such as 129.90, with up to 15 digits, then a point and up to four more, without sign or leading zeros"

    public static func accepts(_ text: String) -> Bool {
        guard text.utf8.count <= 20 else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...15).contains(whole.count),
            whole.count == 1 || whole.first != UInt8(ascii: "0"),
            parts.count == 1 || parts.count == 2 && (1...4).contains(parts[1].count)
        else { return false }
        return parts.allSatisfy { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    }
}

/// The currency of an amount: the three letters of [ISO 4217](https://www.iso.org/iso-4217-currency-codes.html).
///
/// The backend ensures that the currency exists.
public typealias CurrencyCode = Identifier<CurrencyCodeRule>

public enum CurrencyCodeRule: IdentifierRule {
    public static let name = "currency"
    public static let requirement = "the three capital letters of ISO 4217"

    public static func accepts(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

/// The payee: 1 to 140 characters in at most 560 bytes of UTF-8, with the character rules of ``DeviceName``.
public typealias Payee = Identifier<PayeeRule>

public enum PayeeRule: ShownTextRule {
    public static let name = "payee"
    public static let characterCountLimit = 140
}

/// The label of a line: 1 to 40 characters in at most 160 bytes of UTF-8, with the character rules of ``DeviceName``.
public typealias LineLabel = Identifier<LineLabelRule>

public enum LineLabelRule: ShownTextRule {
    public static let name = "line label"
    public static let characterCountLimit = 40
}

/// The value of a line: 1 to 200 characters in at most 800 bytes of UTF-8, with the character rules of ``DeviceName``.
public typealias LineValue = Identifier<LineValueRule>

public enum LineValueRule: ShownTextRule {
    public static let name = "line value"
    public static let characterCountLimit = 200
}
