/// A published measurement of how fast an attacker with a copy of a record can guess PINs.
public struct GuessingBenchmark: Hashable, Sendable {
    /// The hardware of the measurement. The figures are for one unit of it.
    public let hardware: String
    /// The guesses per second that were measured.
    public let guessesPerSecond: Int
    /// The parameters of each guess.
    public let setting: String
    /// The author, tool and date of the measurement.
    public let source: String
    /// The address of the publication.
    public let address: String
    /// The cost of one such guess, in the unit of ``GuessWork``.
    let work: Double

    /// Argon2id: 328 million KiB filled per second. Memory limits the rate, so lanes have no effect.
    static let argon2id = GuessingBenchmark(
        hardware: "NVIDIA RTX 4090", guessesPerSecond: 1_667, setting: "64 MiB, 3 passes, 1 lane",
        source: "Netherlands Forensic Institute with hashcat, July 2025",
        address: "https://github.com/hashcat/hashcat/pull/4284", work: 64 * 1_024 * 3)

    /// PBKDF2 with HMAC-SHA256: 8,800 million iterations per second.
    static let pbkdf2 = GuessingBenchmark(
        hardware: "NVIDIA RTX 4090", guessesPerSecond: 88_000, setting: "100,100 iterations",
        source: "J. Gosney with hashcat, December 2022", address: "https://gnusocial.jp/conversation/916452",
        work: 100_100)
}

/// The cost of one guess, in the unit that limits an attacker who makes many.
///
/// A rate that was measured at one setting of a function applies to all other settings in proportion.
struct GuessWork {
    let benchmark: GuessingBenchmark
    /// Argon2id: KiB filled in all passes. PBKDF2: iterations.
    let amount: Double

    /// - Parameter parameters: A number of zero or less, which no real record has, counts as the least possible work.
    init(_ parameters: KeyDerivationParameters) {
        switch parameters {
        case .argon2id(let memoryKibibytes, let passes, _):
            benchmark = .argon2id
            amount = max(1, Double(memoryKibibytes) * Double(passes))
        case .pbkdf2(let iterations):
            benchmark = .pbkdf2
            amount = max(1, Double(iterations))
        }
    }
}
