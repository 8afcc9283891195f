/// Guesses at the PIN that this device has no answer to. Either another party made them with a copy of the device's
/// data, or they are the device's own guesses with lost answers.
public struct ForeignGuesses: Codable, Hashable, Sendable {
    /// The number of such guesses that the hardener has counted.
    public let count: Int
    /// The number of them that may be this device's own, because it got no answer to them.
    public let possiblyOwn: Int

    /// The number of them that are certainly not this device's own. Show this number to the user.
    public var surelyForeign: Int { max(0, count - possiblyOwn) }

    /// Adds the guesses of another window. A guess that is certainly foreign in one window stays so in the sum.
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
