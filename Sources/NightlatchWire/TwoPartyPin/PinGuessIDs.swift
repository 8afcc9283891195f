/// A list of at most ``countLimit`` guesses that count, oldest first.
public struct PinGuessIDs: Hashable, Sendable {
    /// The highest guess limit that a relying party can set.
    public static let countLimit = 100

    public static let none = PinGuessIDs(few: [])

    public let ids: [PinGuessID]

    private init(few ids: [PinGuessID]) {
        self.ids = ids
    }

    /// Creates a list. Returns nil if there are more than ``countLimit`` ids.
    public init?(_ ids: [PinGuessID]) {
        guard ids.count <= Self.countLimit else { return nil }
        self.ids = ids
    }
}

extension PinGuessIDs: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let ids = Self(try container.decode([PinGuessID].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "more guesses than the maximum")
        }
        self = ids
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }
}
