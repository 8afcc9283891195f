/// The rules of lockout as a pure machine: a ledger and a reading of the continuous clock in, a decision or a new ledger
/// out. It reads no clock and writes nothing.
///
/// Time passed is the clock now less the clock when the ledger was written. If that is negative the device was started
/// again since, and the rest of the wait begins anew: a wait is never shortened and never endless, whatever is done to the
/// wall clock, which decides nothing.
package struct Lockout: Sendable {
    let policy: LockoutPolicy

    package init(policy: LockoutPolicy) {
        self.policy = policy
    }

    package enum Decision: Hashable, Sendable {
        /// An attempt may be charged.
        case mayTry
        /// Not yet. With a ledger if the clock went back: it must be written, so that the wait runs from now.
        case wait(Duration, rebased: LockoutLedger?)
        /// No attempt, ever, on this PIN.
        case blocked
    }

    package func decide(_ ledger: LockoutLedger, now: Duration) -> Decision {
        guard ledger.failures < policy.limit else { return .blocked }
        let wait = Duration.milliseconds(ledger.waitMilliseconds)
        guard wait > .zero else { return .mayTry }
        let passed = now - .milliseconds(ledger.clockMilliseconds)
        guard passed >= .zero else {
            var rebased = ledger
            rebased.clockMilliseconds = now.wholeMilliseconds
            return .wait(wait, rebased: rebased)
        }
        return passed < wait ? .wait(wait - passed, rebased: nil) : .mayTry
    }

    /// The ledger to be written before `attempt` is tried: it counts as failed until it has succeeded.
    package func charging(_ attempt: AttemptID, to ledger: LockoutLedger, now: Duration) -> LockoutLedger {
        let failures = ledger.failures + 1
        return LockoutLedger(
            failures: failures,
            chargedAttempt: attempt,
            waitMilliseconds: policy.wait(afterFailures: failures).wholeMilliseconds,
            clockMilliseconds: now.wholeMilliseconds)
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
