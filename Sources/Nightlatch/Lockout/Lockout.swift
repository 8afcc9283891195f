/// The rules of lockout, as functions of a ledger and a reading of the continuous clock. They return a decision or a
/// new ledger, read no clock and write nothing.
///
/// During a wait, the elapsed time is subtracted from the wait in the ledger, so that this time still counts after a
/// restart. So no restart shortens a wait, and a wait also ends on a device that is restarted each day. The wall clock
/// has no influence.
///
/// The time that has elapsed since the ledger was written is computed from `now`, the continuous clock, and `clock`,
/// its value in the ledger:
///
/// | boot id in the ledger and now | elapsed |
/// |---|---|
/// | different | `now`: all of it is after the restart |
/// | the same | `now - clock`, or zero if that is negative |
/// | one or both are missing | `now - clock`, or `now` if that is negative, since the device was restarted |
///
/// With the same boot id, a negative difference means that a machine image was restored. It is unknown then how much
/// time has really passed, so none of it counts.
package struct Lockout: Sendable {
    let policy: LockoutPolicy

    package init(policy: LockoutPolicy) {
        self.policy = policy
    }

    package enum Decision: Hashable, Sendable {
        /// An attempt may be charged.
        case mayTry
        /// No attempt may be charged yet. The ledger, if there is one, must be written: its wait is the time that is
        /// left now.
        case wait(Duration, rebased: LockoutLedger?)
        /// No attempt is possible on this PIN any more.
        case blocked
    }

    /// - Parameters:
    ///   - now: The reading of the continuous clock.
    ///   - boot: The start of the device that `now` is counted from, if the system provides it.
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
        // Rounded up to the next whole millisecond: a wait is never shortened.
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

    /// Returns the least elapsed part of a wait that is worth a write. A screen may ask once a second, and most of
    /// these calls must not write.
    private static func worthWriting(of wait: Duration) -> Duration {
        max(.seconds(1), min(wait / 10, .seconds(60)))
    }

    /// Returns the ledger to write before `attempt` is tried. The attempt counts as wrong until it has succeeded.
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

    /// Whether the verdict "wrong" on `attempt` ends the PIN. Only a verdict ends it: an interrupted last attempt
    /// blocks the PIN but removes nothing.
    package func ends(_ attempt: AttemptID, in ledger: LockoutLedger) -> Bool {
        ledger.failures >= policy.limit && ledger.chargedAttempt == attempt
    }

    /// Returns the number of attempts that are left.
    package func triesLeft(_ ledger: LockoutLedger) -> Int {
        max(0, policy.limit - ledger.failures)
    }
}

extension Duration {
    /// The duration in whole milliseconds. A value out of range becomes the smallest or greatest one.
    var wholeMilliseconds: Int64 {
        let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000_000_000)
        return overflow || sumOverflow ? (components.seconds < 0 ? .min : .max) : sum
    }
}
