import NightlatchWire

// What becomes of an attempt once the hardener has answered, or has not.
extension Vault {
    /// The verdict "right": the count begins anew, a change that the hardener promoted takes its place, and a local tier that the app allows no
    /// longer goes.
    ///
    /// - Parameters:
    ///   - opened: What the PIN has opened.
    ///   - slot: The slot that it has opened it by.
    ///   - answer: What the guess brought.
    ///   - next: The window that began once the guess was proved; nil if it was not.
    ///   - isChangeDropped: Whether the change that is under way was abandoned.
    /// - Returns: Nil if `slot` is no longer the vault's.
    func settleRight(
        _ opened: OpenedRecord,
        _ slot: PinSlot,
        answer: HardenedPin,
        next: PinWindow?,
        isChangeDropped: Bool
    ) async throws(UnlockError) -> OpenedRecord? {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            var record = try await readExisting()
            // What is damaged beside the PIN's slot does not make the PIN wrong, so that is written down first.
            var damage: VaultRecordError?
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
            // The key that it gave away is given up too: the next to be written is under another.
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
                    throw .record(error)
                }
            }
            record.ledger = .clear
            record.noteGuess { $0.answer(right: answer, sentIn: opened.record.guesses?.window, next: next) }
            guard try await writeUnlocking(&record, &retries) else { continue }
            if let damage { throw .record(damage) }
            var settled = opened
            settled.record = record
            return settled
        }
    }

    /// Writes down that a guess for a candidate is about to be sent, so that nobody takes it for somebody else's later, or that it was not
    /// charged.
    func noteGuess(of opened: OpenedRecord, _ outcome: (inout GuessLedger) -> Void) async throws(RekeyError) {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            var record = try await readUnchanged(opened)
            record.noteGuess(outcome)
            if try await writeRekeying(&record, &retries) { return }
        }
    }

    /// Writes down what became of a guess before anything else is done about it.
    func note(_ outcome: (inout GuessLedger) -> Void) async throws(UnlockError) {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            var record = try await readExisting()
            record.noteGuess(outcome)
            if try await writeUnlocking(&record, &retries) { return }
        }
    }
}
