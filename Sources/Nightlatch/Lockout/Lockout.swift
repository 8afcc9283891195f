/// The rules of lockout as a pure machine: a ledger and a reading of the continuous clock in, a decision or a new ledger
/// out. It reads no clock and writes nothing.
///
/// Time that has passed is subtracted from the wait in the ledger at each use, so that it still counts after the next restart. So no
/// restart shortens a wait, and a wait also ends on a device that is restarted each day. The wall clock decides nothing. How much has
/// passed since the ledger was written:
///
/// | boot id in the ledger and now | passed |
/// |---|---|
/// | different | the clock now: all of it is after the restart |
/// | the same | the clock now less the clock in the ledger. If that is negative, an image of a machine was restored: nothing, since how much of the clock has run twice is unknown |
/// | one or both are missing | the clock now less the clock in the ledger. If that is negative, the device was restarted, and the clock now has passed |
package struct Lockout: Sendable {
    let policy: LockoutPolicy

    package init(policy: LockoutPolicy) {
        self.policy = policy
    }

    package enum Decision: Hashable, Sendable {
        /// An attempt may be charged.
        case mayTry
        /// Not yet. If there is a ledger, it must be written: the wait in it is what is left of it now.
        case wait(Duration, rebased: LockoutLedger?)
        /// No attempt, ever, on this PIN.
        case blocked
    }

    /// - Parameters:
    ///   - now: The continuous clock.
    ///   - boot: The start of the device that `now` is counted from, if the system says.
    package func decide(_ ledger: LockoutLedger, now: Duration, boot: BootID?) -> Decision {
        guard ledger.failures < policy.limit else { return .blocked }
        let wait = Duration.milliseconds(ledger.waitMilliseconds)
        guard wait > .zero else { return .mayTry }
        let passed = Self.passed(since: ledger, now: now, boot: boot)
        guard passed < wait else { return .mayTry }
        let left = wait - passed
        let isOfThisCount = now >= .milliseconds(ledger.clockMilliseconds) && boot == ledger.boot
        guard !isOfThisCount || passed >= Self.worthWriting(of: wait) else { return .wait(left, rebased: nil) }
        var rebased = ledger
        // Up to the next whole millisecond: a wait is never shortened.
        rebased.waitMilliseconds = (left + .milliseconds(1) - .nanoseconds(1)).wholeMilliseconds
        rebased.clockMilliseconds = now.wholeMilliseconds
        rebased.boot = boot
        return .wait(left, rebased: rebased)
    }

    private static func passed(since ledger: LockoutLedger, now: Duration, boot: BootID?) -> Duration {
        let difference = now - .milliseconds(ledger.clockMilliseconds)
        let passed =
            if let boot, let earlier = ledger.boot {
                boot == earlier ? difference : now
            } else {
                difference >= .zero ? difference : now
            }
        return max(.zero, passed)
    }

    /// How much of a wait must have passed before that is worth a write. A screen may ask once a second.
    private static func worthWriting(of wait: Duration) -> Duration {
        max(.seconds(1), min(wait / 10, .seconds(60)))
    }

    /// The ledger to be written before `attempt` is tried: it counts as failed until it has succeeded.
    package func charging(_ attempt: AttemptID, to ledger: LockoutLedger, now: Duration, boot: BootID?) -> LockoutLedger
    {
        let failures = ledger.failures + 1
        return LockoutLedger(
            failures: failures,
            chargedAttempt: attempt,
            waitMilliseconds: policy.wait(afterFailures: failures).wholeMilliseconds,
            clockMilliseconds: now.wholeMilliseconds,
            boot: boot)
    }

    /// Whether the verdict "wrong" on `attempt` ends the PIN. Only a verdict does: an interrupted last attempt blocks and
    /// removes nothing.
    package func ends(_ attempt: AttemptID, in ledger: LockoutLedger) -> Bool {
        ledger.failures >= policy.limit && ledger.chargedAttempt == attempt
    }

    /// How many attempts are left.
    package func triesLeft(_ ledger: LockoutLedger) -> Int {
        max(0, policy.limit - ledger.failures)
    }
}

extension Duration {
    /// In whole milliseconds; longer ago or ahead than can be written, the furthest that can.
    var wholeMilliseconds: Int64 {
        let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000_000_000)
        return overflow || sumOverflow ? (components.seconds < 0 ? .min : .max) : sum
    }
}
