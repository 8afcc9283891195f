/// A published measurement of how fast PINs can be guessed by whoever has a copy of a record.
public struct GuessingBenchmark: Hashable, Sendable {
    /// What it was measured on: one of it.
    public let hardware: String
    /// How many guesses a second it made.
    public let guessesPerSecond: Int
    /// What each of those guesses had to do.
    public let setting: String
    /// Who measured it, with what, and when.
    public let source: String
    /// Where it can be read.
    public let address: String
    /// What one of those guesses cost, in the unit of ``GuessWork``.
    let work: Double

    /// Argon2id: 328 million KiB filled a second. It is bound by memory, so lanes count for nothing.
    static let argon2id = GuessingBenchmark(
        hardware: "NVIDIA RTX 4090", guessesPerSecond: 1_667, setting: "64 MiB, 3 passes, 1 lane",
        source: "Netherlands Forensic Institute with hashcat, July 2025",
        address: "https://github.com/hashcat/hashcat/pull/4284", work: 64 * 1_024 * 3)

    /// PBKDF2 with HMAC-SHA256: 8.8 thousand million iterations a second.
    static let pbkdf2 = GuessingBenchmark(
        hardware: "NVIDIA RTX 4090", guessesPerSecond: 88_000, setting: "100,100 iterations",
        source: "J. Gosney with hashcat, December 2022", address: "https://gnusocial.jp/conversation/916452",
        work: 100_100)
}

/// What one guess costs, in the unit that limits whoever makes many: a rate measured at one setting of a function is good for all
/// others in proportion.
struct GuessWork {
    let benchmark: GuessingBenchmark
    /// Argon2id: KiB filled in all passes. PBKDF2: iterations.
    let amount: Double

    /// - Parameter parameters: What is no number of a real record, zero or less, counts as the least work there is.
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
