/// How long a PIN lasts against someone who has a copy of its record and one graphics card.
///
/// No lockout holds on another machine, so every PIN can be tried there; only what a guess costs stands against it. The figures are
/// scaled from one published measurement, ``benchmark``. They are for a PIN chosen at random and a record that can be copied and says
/// all that is needed to tell a right PIN. They do not count a part of the key that is elsewhere, in hardware or with a server:
/// where there is one, a copy cannot be guessed at before that is broken too.
///
/// ```swift
/// let cost = AttackCost(of: .pbkdf2(iterations: 600_000))
/// cost.time(toTry: PinSpace.sixDigits.pinCount).whole  // 68 seconds
/// ```
public struct AttackCost: Hashable, Sendable {
    /// What stretches the PIN.
    public let keyDerivation: KeyDerivationParameters
    /// What the figures are scaled from.
    public let benchmark: GuessingBenchmark
    /// How many guesses a second the benchmark's hardware makes at these parameters. Two of it make twice as many.
    public let guessesPerSecond: Double

    /// The cost of guessing at a record with these parameters.
    public init(of keyDerivation: KeyDerivationParameters) {
        let work = GuessWork(keyDerivation)
        self.keyDerivation = keyDerivation
        benchmark = work.benchmark
        guessesPerSecond = Double(benchmark.guessesPerSecond) * benchmark.work / work.amount
    }

    /// How long `pinCount` PINs take; a ``PinSpace`` says how many there are.
    public func time(toTry pinCount: Int) -> AttackTime {
        // Longer than a `Duration` can say is as long as it can.
        let seconds = min(Double(pinCount) / guessesPerSecond, 0x1p62)
        return AttackTime(expected: .seconds(seconds / 2), whole: .seconds(seconds))
    }
}

/// How long guessing takes.
public struct AttackTime: Hashable, Sendable {
    /// Until half of the PINs are tried, by which time a PIN that was chosen at random is found on average.
    public let expected: Duration
    /// Until all of the PINs are tried.
    public let whole: Duration
}
