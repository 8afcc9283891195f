/// Guesses at the PIN that this device knows nothing of: somebody has a copy of it, or requests of its own were never answered.
public struct ForeignGuesses: Codable, Hashable, Sendable {
    /// How many the hardener has counted.
    public let count: Int
    /// How many of them may be this device's own, because it was not told what became of them.
    public let possiblyOwn: Int

    /// How many are surely somebody else's: what a person is to be told.
    public var surelyForeign: Int { max(0, count - possiblyOwn) }

    /// Of several windows: what is surely somebody else's in one of them stays so.
    func adding(_ other: ForeignGuesses, limit: Int) -> ForeignGuesses {
        ForeignGuesses(
            count: min(limit, count + other.count),
            possiblyOwn: min(limit, min(count, possiblyOwn) + min(other.count, other.possiblyOwn)))
    }

    private enum CodingKeys: String, CodingKey {
        case count
        case possiblyOwn = "possibly_own"
    }
}
