/// The count of wrong attempts in the vault's record.
package struct LockoutLedger: Codable, Hashable, Sendable {
    /// The number of consecutive wrong attempts, including the charged one.
    package var failures: Int
    /// The attempt that was charged last, until its verdict. An interrupted attempt stays here, and counts.
    package var chargedAttempt: AttemptID?
    /// The wait that was left when `clockMilliseconds` was read.
    package var waitMilliseconds: Int64
    /// The continuous clock when this was written.
    package var clockMilliseconds: Int64
    /// The start of the device that the clock was counted from. Nil if the system did not provide it, and in records of
    /// earlier versions.
    package var boot: BootID?

    /// No wrong attempt, no wait.
    package static let clear = LockoutLedger(
        failures: 0, chargedAttempt: nil, waitMilliseconds: 0, clockMilliseconds: 0)

    /// Whether some policy leads to this state. Values that no policy leads to were written by an attacker, and must
    /// not be used.
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
