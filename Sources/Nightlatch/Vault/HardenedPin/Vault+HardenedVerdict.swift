import NightlatchWire

// How an attempt ends after the hardener has answered.
extension Vault {
    /// Records that the PIN was right.
    ///
    /// The count is reset, a promoted change replaces the slot, and a local tier that the app no longer allows is
    /// removed.
    ///
    /// - Parameters:
    ///   - opened: The record that the PIN opened.
    ///   - slot: The slot that the PIN opened.
    ///   - answer: The hardener's answer to the guess.
    ///   - next: The window that began when the guess was proved; nil if it was not proved.
    ///   - isChangeDropped: Whether the pending change was abandoned.
    /// - Returns: Nil if `slot` is no longer the vault's.
    func settleRight(
        _ opened: OpenedRecord,
        _ slot: PinSlot,
        answer: HardenedPin,
        next: PinWindow?,
        isChangeDropped: Bool
    ) async throws(UnlockError) -> OpenedRecord? {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            var record = try await readExisting()
            // Damage outside the PIN's slot does not make the PIN wrong, so the success is written before the damage is
            // thrown.
            var damage: VaultError?
            if record.sealed.slots.pin == slot {
                if !opened.key.vouches(for: record.sealed.content) {
                    damage = .corrupt
                } else if isChangeDropped, record.change == opened.record.change {
                    record.change = nil
                }
            } else if let change = record.change, change.slots.pin == slot {
                do {
                    record.sealed = try promoted(change, over: record.sealed, by: opened.key)
                    record.change = nil
                    record.noteGuess { $0.answerForeign() }
                } catch {
                    damage = error
                }
            } else {
                return nil
            }
            // The removed local tier wraps the current vault key. So the vault is marked to be sealed again under
            // another key.
            if damage == nil, offlinePin == .refused, let current = record.sealed.slots.pin,
                current.hardened?.localTier != nil
            {
                let old = record.sealed.content
                do {
                    record.sealed.content = opened.key.vouch(
                        for: old.items, recipients: try opened.key.recipients(in: old), epoch: old.epoch,
                        generation: old.generation + 1, isPinHardened: true, isRekeyDue: true)
                    record.sealed.slots.pin = current.withLocalTier(nil)
                } catch {
                    throw .vault(error)
                }
            }
            record.ledger = .clear
            record.noteGuess { $0.answer(right: answer, sentIn: opened.record.guesses?.window, next: next) }
            guard try await writeUnlocking(&record, &retries) else { continue }
            if let damage { throw .vault(damage) }
            var settled = opened
            settled.record = record
            return settled
        }
    }

    /// Records that a guess for a candidate is about to be sent, or that it was not charged. Without this entry, the
    /// guess would later look like a foreign one.
    func noteGuess(of opened: OpenedRecord, _ outcome: (inout GuessLedger) -> Void) async throws(VaultError) {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            var record = try await readUnchanged(opened)
            record.noteGuess(outcome)
            if try await write(&record, &retries) { return }
        }
    }

    /// Records the outcome of a guess before anything else is done about it.
    func note(_ outcome: (inout GuessLedger) -> Void) async throws(UnlockError) {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            var record = try await readExisting()
            record.noteGuess(outcome)
            if try await writeUnlocking(&record, &retries) { return }
        }
    }
}
