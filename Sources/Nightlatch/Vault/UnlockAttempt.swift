import NightlatchWire

/// One attempt to open a vault by PIN, from its charge to its verdict.
struct UnlockAttempt: Sendable {
    let id = AttemptID.random()
    private(set) var isCharged = false
    /// The count before the charge. It is restored if the attempt tests nothing.
    private(set) var ledgerBefore: LockoutLedger?
    /// Whether the hardener says that the pending change has become the vault's PIN.
    var triesChange: Bool

    init(triesChange: Bool) {
        self.triesChange = triesChange
    }

    mutating func charge(_ before: LockoutLedger) {
        isCharged = true
        ledgerBefore = before
    }

    mutating func uncharge() {
        isCharged = false
        ledgerBefore = nil
    }

    /// Returns the slot to try, or nil if there is none. It is the slot of a pending change only if ``triesChange`` is
    /// true.
    func slot(in record: VaultRecord) -> PinSlot? {
        let change = record.change?.slots.pin.flatMap { $0.hardened == nil ? nil : $0 }
        if triesChange, let change { return change }
        return record.sealed.slots.pin
    }
}
