/// The numbers of digits that a new PIN may have: a range within 4 to 12.
public struct PolicyPinLengths: Hashable, Sendable {
    public let range: ClosedRange<Int>

    /// The lengths of all PINs.
    public static let allowed = 4...12

    /// Creates the lengths. Returns nil for a range that is not within ``allowed``.
    public init?(_ range: ClosedRange<Int>) {
        guard Self.allowed.contains(range.lowerBound), Self.allowed.contains(range.upperBound) else { return nil }
        self.range = range
    }
}

extension PolicyPinLengths: Codable {
    private static let requirement = "must be least and most with 4 ≤ least ≤ most ≤ 12"

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        let (least, most): (Int, Int) = (try members.value("least"), try members.value("most"))
        guard least <= most, let lengths = Self(least...most) else { throw members.broken(nil, Self.requirement) }
        self = lengths
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("least", range.lowerBound)
        try members.add("most", range.upperBound)
    }
}

/// The least number of different digits in a new PIN, from 2 to 5. A shorter PIN must have only different digits.
///
/// A greater number would leave an attacker too few PINs to try.
public struct PolicyDistinctDigits: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public static let allowed = 2...5

    /// Creates a number. Returns nil outside ``allowed``.
    public init?(rawValue: Int) {
        guard Self.allowed.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

extension PolicyDistinctDigits: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Self(rawValue: try container.decode(Int.self)) else {
            throw DecodingError.broken("must be a whole number from 2 to 5", at: container.codingPath)
        }
        self = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
