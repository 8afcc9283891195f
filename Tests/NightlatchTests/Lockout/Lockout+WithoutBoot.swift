import Nightlatch

/// The lockout rules on a system without a boot id.
extension Lockout {
    func decide(_ ledger: LockoutLedger, now: Duration) -> Decision {
        decide(ledger, now: now, boot: nil)
    }

    func charging(_ attempt: AttemptID, to ledger: LockoutLedger, now: Duration) -> LockoutLedger {
        charging(attempt, to: ledger, now: now, boot: nil)
    }
}
