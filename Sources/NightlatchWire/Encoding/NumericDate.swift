public import Foundation

/// A moment in whole seconds since 1970 ([RFC 7519, section 2](https://www.rfc-editor.org/rfc/rfc7519#section-2)).
///
/// RFC 7519 allows fractions. Decoding refuses them, because Nightlatch's messages have none. `5.0` and `5e0` are
/// accepted as 5. To read messages of other programs, use ``init(fractional:)``.
public struct NumericDate: Hashable, Comparable, Sendable {
    public let secondsSince1970: Int

    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Creates a moment from `date`, rounded down to the second.
    public init(_ date: Date) {
        secondsSince1970 = Int(date.timeIntervalSince1970.rounded(.down))
    }

    /// Creates a moment, rounded down to the second. Returns nil outside the years 1970 to 9999.
    public init?(fractional seconds: Double) {
        guard let whole = Int(exactly: seconds.rounded(.down)), Self.range.contains(whole) else { return nil }
        secondsSince1970 = whole
    }

    public var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

    public static func < (left: Self, right: Self) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// The moment `duration` later, in whole seconds. An overflow gives the last or first representable moment.
    public static func + (date: Self, duration: Duration) -> Self {
        let seconds = Int(clamping: duration.components.seconds)
        let (sum, overflow) = date.secondsSince1970.addingReportingOverflow(seconds)
        return Self(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// The time from `start` to `end`.
    public static func - (end: Self, start: Self) -> Duration {
        .seconds(end.secondsSince1970) - .seconds(start.secondsSince1970)
    }
}

extension NumericDate: Codable {
    /// The years 1970 to 9999. A value outside is a mistake of the sender.
    static let range = 0...253_402_300_799

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rule = "must be whole seconds since 1970, not milliseconds, and not after the year 9999"
        let seconds = try container.decode(Int.self, rule: rule)
        guard Self.range.contains(seconds) else { throw DecodingError.broken(rule, at: container.codingPath) }
        self.init(secondsSince1970: seconds)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secondsSince1970)
    }
}
