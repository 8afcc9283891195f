public import Foundation

/// The details of a transaction that a user confirms: amount, payee, further lines, and expiry.
///
/// An app shows all of them unchanged and in this order. The device signs the ``hash`` of exactly these values, so a
/// confirmation is not valid for other values (dynamic linking: Delegated Regulation (EU) 2018/389, article 5).
public struct TransactionDetails: Hashable, Sendable {
    /// The maximum number of further lines.
    public static let lineCountLimit = 16
    /// The maximum size of the canonical form, in bytes. It keeps a list of transactions within the size that clients
    /// read.
    public static let byteCountLimit = 2048

    public let amount: MoneyAmount
    public let currency: CurrencyCode
    public let payee: Payee
    /// Further information to show, in this order.
    public let lines: [Line]
    /// The last second in which the transaction can be decided.
    public let expiresAt: NumericDate

    /// One further line to show.
    public struct Line: Hashable, Sendable {
        public let label: LineLabel
        public let value: LineValue

        public init(label: LineLabel, value: LineValue) {
            self.label = label
            self.value = value
        }
    }

    /// Creates details from their parts.
    ///
    /// - Throws: ``TransactionDetailsError``.
    public init(
        amount: MoneyAmount,
        currency: CurrencyCode,
        payee: Payee,
        lines: [Line] = [],
        expiresAt: NumericDate
    ) throws(TransactionDetailsError) {
        guard lines.count <= Self.lineCountLimit else { throw .tooManyLines(limit: Self.lineCountLimit) }
        guard NumericDate.range.contains(expiresAt.secondsSince1970) else { throw .expiryOutOfRange }
        self.amount = amount
        self.currency = currency
        self.payee = payee
        self.lines = lines
        self.expiresAt = expiresAt
        guard canonicalBytes.count <= Self.byteCountLimit else { throw .tooLarge(byteCountLimit: Self.byteCountLimit) }
    }

    /// Whether an app can show each text unchanged, with nothing hidden in it.
    ///
    /// Earlier servers accepted other texts too, and such a transaction may still be pending. The user can only reject
    /// it.
    public var canBeShown: Bool {
        PayeeRule.accepts(payee.rawValue)
            && lines.allSatisfy { LineLabelRule.accepts($0.label.rawValue) && LineValueRule.accepts($0.value.rawValue) }
    }

    /// The canonical form ([RFC 8785](https://www.rfc-editor.org/rfc/rfc8785)), the input of ``hash``.
    public var canonicalBytes: Data {
        CanonicalJSON.object([
            CodingKeys.amount.rawValue: .string(amount.rawValue),
            CodingKeys.currency.rawValue: .string(currency.rawValue),
            CodingKeys.payee.rawValue: .string(payee.rawValue),
            CodingKeys.lines.rawValue: .array(
                lines.map { line in
                    .object([
                        Line.CodingKeys.label.rawValue: .string(line.label.rawValue),
                        Line.CodingKeys.value.rawValue: .string(line.value.rawValue),
                    ])
                }),
            CodingKeys.expiresAt.rawValue: .integer(expiresAt.secondsSince1970),
        ]).bytes
    }

    /// The hash that a decision signs.
    public var hash: TransactionDetailsHash { TransactionDetailsHash(of: self) }

    fileprivate enum CodingKeys: String, CodingKey {
        case amount, currency, payee, lines
        case expiresAt = "expires_at"
    }
}

/// The reason why transaction details cannot be created. No transaction was requested.
public enum TransactionDetailsError: Error, Hashable, Sendable {
    /// There are more lines than a transaction may have.
    case tooManyLines(limit: Int)
    /// The canonical form has more bytes than a transaction may have. Shorten the texts.
    case tooLarge(byteCountLimit: Int)
    /// The expiry is before 1970 or after the year 9999.
    case expiryOutOfRange
}

// Unlike other messages, details with an unknown member are refused. Dropping the member would show the user less than
// the backend sent.
extension TransactionDetails: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try Self.container(from: decoder)
        try self.init(
            container, payee: container.decode(Payee.self, forKey: .payee),
            lines: container.decode([Line].self, forKey: .lines))
    }

    /// Also reads texts that only an earlier server accepted (``canBeShown``).
    fileprivate init(acceptedEarlierFrom decoder: any Decoder) throws {
        let container = try Self.container(from: decoder)
        try self.init(
            container, payee: container.decode(AcceptedEarlier<PayeeRule>.self, forKey: .payee).text,
            lines: container.decode([AcceptedEarlierLine].self, forKey: .lines).map(\.line))
    }

    private static func container(from decoder: any Decoder) throws -> KeyedDecodingContainer<CodingKeys> {
        try decoder.requireMembers(CodingKeys.self)
        return try decoder.container(keyedBy: CodingKeys.self)
    }

    private init(_ container: KeyedDecodingContainer<CodingKeys>, payee: Payee, lines: [Line]) throws {
        let amount = try container.decode(MoneyAmount.self, forKey: .amount)
        let currency = try container.decode(CurrencyCode.self, forKey: .currency)
        let expiresAt = try container.decode(NumericDate.self, forKey: .expiresAt)
        do {
            try self.init(amount: amount, currency: currency, payee: payee, lines: lines, expiresAt: expiresAt)
        } catch {
            throw DecodingError.broken(
                "must have at most \(Self.lineCountLimit) lines and \(Self.byteCountLimit) bytes in canonical form",
                at: container.codingPath)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(amount, forKey: .amount)
        try container.encode(currency, forKey: .currency)
        try container.encode(payee, forKey: .payee)
        try container.encode(lines, forKey: .lines)
        try container.encode(expiresAt, forKey: .expiresAt)
    }
}

extension TransactionDetails.Line: Codable {
    fileprivate enum CodingKeys: String, CodingKey {
        case label, value
    }

    public init(from decoder: any Decoder) throws {
        try decoder.requireMembers(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        label = try container.decode(LineLabel.self, forKey: .label)
        value = try container.decode(LineValue.self, forKey: .value)
    }
}

/// Transaction details in a list for a device. Texts that only an earlier server accepted are readable, so that one of
/// them does not hide the other transactions.
struct ListedTransactionDetails: Decodable {
    let details: TransactionDetails

    init(from decoder: any Decoder) throws {
        details = try TransactionDetails(acceptedEarlierFrom: decoder)
    }
}

private struct AcceptedEarlierLine: Decodable {
    let line: TransactionDetails.Line

    init(from decoder: any Decoder) throws {
        try decoder.requireMembers(TransactionDetails.Line.CodingKeys.self)
        let container = try decoder.container(keyedBy: TransactionDetails.Line.CodingKeys.self)
        line = TransactionDetails.Line(
            label: try container.decode(AcceptedEarlier<LineLabelRule>.self, forKey: .label).text,
            value: try container.decode(AcceptedEarlier<LineValueRule>.self, forKey: .value).text)
    }
}

private struct AcceptedEarlier<Rule: IdentifierRule>: Decodable {
    let text: Identifier<Rule>

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = Identifier<Rule>.stored(try container.decode(String.self)) else {
            throw DecodingError.broken("must be a string: " + Rule.requirement, at: container.codingPath)
        }
        self.text = text
    }
}
