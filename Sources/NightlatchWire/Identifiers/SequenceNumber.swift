/// The name and first value of one kind of ``SequenceNumber``.
public protocol SequenceNumberRule: Sendable {
    /// The name of the kind in messages to people, such as "epoch".
    static var name: String { get }
    /// The first number.
    static var first: Int { get }
}

/// A number that only increases: from the first number of its kind to 2^53 - 1, which every JSON reader represents
/// exactly.
public struct SequenceNumber<Rule: SequenceNumberRule>: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int

    /// Creates a number. Returns nil if `rawValue` is out of range.
    public init?(rawValue: Int) {
        guard Self.range.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(unchecked rawValue: Int) {
        self.rawValue = rawValue
    }

    private static var range: ClosedRange<Int> { Rule.first...(1 << 53) - 1 }

    public static var first: Self { Self(unchecked: range.lowerBound) }

    /// The next number. At the last number it stays the same. At one number per microsecond, it takes 285 years to get
    /// there.
    public var next: Self { Self(unchecked: min(rawValue + 1, Self.range.upperBound)) }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension SequenceNumber: CustomStringConvertible {
    public var description: String { rawValue.description }
}

extension SequenceNumber: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Self(rawValue: try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a valid \(Rule.name)")
        }
        self = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
