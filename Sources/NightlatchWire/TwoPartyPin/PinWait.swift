/// The time until the relying party charges another guess at a two-party PIN: whole seconds, from one to a day.
///
/// It is a length of time and not a moment, so a device with a wrong clock waits as long as any other.
public struct PinWait: Hashable, Sendable {
    /// The longest wait, in seconds: a day.
    public static let longestSeconds = 24 * 60 * 60

    public let seconds: Int

    public var duration: Duration { .seconds(seconds) }

    /// Creates a wait. Returns nil for a number that is not from 1 to ``longestSeconds``.
    public init?(seconds: Int) {
        guard (1...Self.longestSeconds).contains(seconds) else { return nil }
        self.seconds = seconds
    }
}

extension PinWait: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let wait = Self(seconds: try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no wait of at most a day")
        }
        self = wait
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }
}
