/// The guesses that count, or some of them, oldest first: at most ``countLimit``.
public struct PinGuessIDs: Hashable, Sendable {
    /// The highest limit that a relying party may have.
    public static let countLimit = 100

    public static let none = PinGuessIDs(few: [])

    public let ids: [PinGuessID]

    private init(few ids: [PinGuessID]) {
        self.ids = ids
    }

    /// Returns nil for more than ``countLimit``.
    public init?(_ ids: [PinGuessID]) {
        guard ids.count <= Self.countLimit else { return nil }
        self.ids = ids
    }
}

extension PinGuessIDs: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let ids = Self(try container.decode([PinGuessID].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "more guesses than there can be")
        }
        self = ids
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }
}
