/// The time that an attacker with a copy of the record and one graphics card needs to find a PIN.
///
/// No lockout works on another machine, so an attacker can try every PIN there; only the cost of each guess slows them
/// down. The figures are scaled from one published measurement, ``benchmark``.
///
/// The figures assume a PIN chosen at random, and a record that can be copied and that is enough to test a PIN. They
/// ignore a part of the key that is elsewhere, in hardware or with a server: an attacker must break that part first to
/// guess at a copy.
///
/// ```swift
/// let cost = AttackCost(of: .pbkdf2(iterations: 600_000))
/// cost.time(toTry: PinSpace.sixDigits.pinCount).whole  // 68 seconds
/// ```
public struct AttackCost: Hashable, Sendable {
    /// The parameters that stretch the PIN.
    public let keyDerivation: KeyDerivationParameters
    /// The measurement that the figures are scaled from.
    public let benchmark: GuessingBenchmark
    /// The guesses per second of the benchmark's hardware at these parameters. Two units make twice as many.
    public let guessesPerSecond: Double

    /// Creates the cost of guessing at a record with these parameters.
    public init(of keyDerivation: KeyDerivationParameters) {
        let work = GuessWork(keyDerivation)
        self.keyDerivation = keyDerivation
        benchmark = work.benchmark
        guessesPerSecond = Double(benchmark.guessesPerSecond) * benchmark.work / work.amount
    }

    /// Returns the time to try `pinCount` PINs; a ``PinSpace`` has the number of PINs.
    public func time(toTry pinCount: Int) -> AttackTime {
        // A time beyond the range of `Duration` is reported as its greatest value.
        let seconds = min(Double(pinCount) / guessesPerSecond, 0x1p62)
        return AttackTime(expected: .seconds(seconds / 2), whole: .seconds(seconds))
    }
}

/// The time that guessing takes.
public struct AttackTime: Hashable, Sendable {
    /// The time to try half of the PINs. On average, a PIN chosen at random is found by then.
    public let expected: Duration
    /// The time to try all of the PINs.
    public let whole: Duration
}
