/// What is written down of failed attempts, in the vault's record.
package struct LockoutLedger: Codable, Hashable, Sendable {
    /// Failures in a row, the charged attempt among them.
    package var failures: Int
    /// The attempt that was charged last, until its verdict. An attempt that was interrupted stays here, and counts.
    package var chargedAttempt: AttemptID?
    /// The wait that was left when `clock` was read.
    package var waitMilliseconds: Int64
    /// The continuous clock when this was written.
    package var clockMilliseconds: Int64
    /// The start of the device that the clock was counted from. Nil if the system did not say, and in records of earlier versions.
    package var boot: BootID?

    /// No failure, no wait.
    package static let clear = LockoutLedger(
        failures: 0, chargedAttempt: nil, waitMilliseconds: 0, clockMilliseconds: 0)

    /// Whether some policy leads here. Numbers that none does were planted, and are not to be reckoned with.
    var isPossible: Bool {
        (0...LockoutPolicy.greatestLimit).contains(failures)
            && (0...LockoutPolicy.longestWait.wholeMilliseconds).contains(waitMilliseconds)
    }

    private enum CodingKeys: String, CodingKey {
        case failures, boot
        case chargedAttempt = "charged_attempt"
        case waitMilliseconds = "wait_ms"
        case clockMilliseconds = "clock_ms"
    }
}
