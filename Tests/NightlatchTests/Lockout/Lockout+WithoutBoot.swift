import Nightlatch

/// The rules on a system that does not say when it was started.
extension Lockout {
    func decide(_ ledger: LockoutLedger, now: Duration) -> Decision {
        decide(ledger, now: now, boot: nil)
    }

    func charging(_ attempt: AttemptID, to ledger: LockoutLedger, now: Duration) -> LockoutLedger {
        charging(attempt, to: ledger, now: now, boot: nil)
    }
}
