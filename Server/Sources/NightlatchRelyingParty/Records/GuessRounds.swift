import NightlatchWire

/// The rounds of guesses at a two-party PIN: how many guesses each round allows, and how long the device waits after
/// each round but the last.
///
/// After the last round, one more guess destroys the relying party's half. All rounds together are the
/// ``GuessLimit``, so waits delay an attacker and never give one more guess. A single round, the default, has no wait.
public struct GuessRounds: Hashable, Sendable {
    /// The permitted numbers of rounds.
    public static let roundRange = 1...20
    /// The longest permitted wait: a day.
    public static let longestWait: Duration = .seconds(PinWait.longestSeconds)

    /// One round of ten guesses.
    public static let `default` = Self(.default)

    /// The number of guesses in each round.
    public let guesses: [Int]
    /// The waits after each round but the last, in whole seconds.
    public let waits: [Duration]
    /// The guesses of all rounds together.
    public let limit: GuessLimit

    /// Creates a single round, without a wait.
    public init(_ limit: GuessLimit) {
        guesses = [limit.count]
        waits = []
        self.limit = limit
    }

    /// Creates rounds.
    ///
    /// - Parameters:
    ///   - guesses: The number of guesses in each round.
    ///   - waits: The wait after each round but the last.
    /// - Throws: ``GuessRoundsError`` for values that make no valid policy.
    public init(guesses: [Int], waits: [Duration]) throws(GuessRoundsError) {
        guard Self.roundRange.contains(guesses.count), waits.count == guesses.count - 1 else { throw .rounds }
        guard guesses.allSatisfy(GuessLimit.range.contains), let limit = GuessLimit(guesses.reduce(0, +)) else {
            throw .guesses
        }
        let isWhole = waits.allSatisfy { $0.components.attoseconds == 0 }
        guard isWhole, waits.allSatisfy({ $0 >= .seconds(1) && $0 <= Self.longestWait }) else { throw .waits }
        guard zip(waits, waits.dropFirst()).allSatisfy({ $0 <= $1 }) else { throw .shrinkingWaits }
        self.guesses = guesses
        self.waits = waits
        self.limit = limit
    }

    /// The wait before the next guess, if `count` guesses are charged; nil if none is due after that guess.
    func wait(after count: Int) -> Duration? {
        var end = 0
        for (guesses, wait) in zip(guesses, waits) {
            end += guesses
            if count == end { return wait }
        }
        return nil
    }
}

/// An error that occurs while creating ``GuessRounds``.
public enum GuessRoundsError: Error, Hashable, Sendable {
    /// There are no rounds or too many, or there is not exactly one wait between two rounds.
    case rounds
    /// A round has no guess, or the rounds together have more than ``GuessLimit/range`` allows.
    case guesses
    /// A wait is not a whole number of seconds, is shorter than a second, or is longer than
    /// ``GuessRounds/longestWait``.
    case waits
    /// A wait is shorter than the previous one.
    case shrinkingWaits
}
