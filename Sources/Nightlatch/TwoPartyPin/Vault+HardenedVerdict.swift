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
        while true {
            var record = try await readExisting()
            if record.sealed.slots.pin == slot {
                // The PIN is right all the same, so the attempt does not count.
                guard opened.key.vouches(for: record.sealed.content) else {
                    record.ledger = .clear
                    guard try await writeUnlocking(&record) else { continue }
                    throw .record(.corrupt)
                }
                if isChangeDropped, record.change == opened.record.change { record.change = nil }
            } else if let change = record.change, change.slots.pin == slot {
                record.sealed = try promoted(change, over: record.sealed, by: opened.key)
                record.change = nil
                // The promotion has answered whoever guessed before.
                record.guesses = nil
            } else {
                return nil
            }
            // The key that it gave away is given up too: the next to be written is under another.
            if offlinePin == .refused, let current = record.sealed.slots.pin, current.hardened?.localTier != nil {
                let old = record.sealed.content
                record.sealed.slots.pin = current.withLocalTier(nil)
                record.sealed.content = opened.key.vouch(
                    for: old.items, recipients: old.recipients, epoch: old.epoch, generation: old.generation + 1,
                    isRekeyDue: true)
            }
            record.ledger = .clear
            record.noteGuess { guesses in
                guesses.answer(answer)
                if let next { guesses.begin(next) }
            }
            guard try await writeUnlocking(&record) else { continue }
            var settled = opened
            settled.record = record
            return settled
        }
    }

    /// What takes the place of `sealed` once the hardener has promoted `change`: the same, or, where something was written meanwhile under
    /// the key before, that, sealed under the new key.
    func promoted(
        _ change: SealedVault,
        over sealed: SealedVault,
        by key: VaultKey
    ) throws(UnlockError) -> SealedVault {
        // A planted change is not this vault's successor.
        guard key.vouches(for: change.content), let slot = change.slots.pin,
            let predecessor = change.predecessor.flatMap(key.openPredecessor), predecessor.vouches(for: sealed.content)
        else { throw .record(.corrupt) }
        var promoted = change
        promoted.predecessor = nil
        guard change.content.generation != sealed.content.generation + 1 else { return promoted }
        do {
            return try seal(sealed.content, from: predecessor, to: key, pin: slot, keepingBiometrics: true)
        } catch {
            throw .record(.corrupt)
        }
    }

    /// Nothing was tested, so the attempt is given back.
    func settleUntested(
        _ attempt: inout UnlockAttempt,
        _ error: PinHardenerError,
        _ slot: PinSlot
    ) async throws(UnlockError) {
        if error == .destroyed { throw .refused(try await endPin(slot)) }
        while true {
            var record = try await readExisting()
            if record.ledger.chargedAttempt == attempt.id, let before = attempt.ledgerBefore {
                record.ledger = before
            } else {
                // Somebody else was charged since.
                record.ledger.failures = max(0, record.ledger.failures - 1)
            }
            if error.isDecision { record.noteGuess { $0.takeBack() } }
            let isSuperseded = !attempt.triesChange && error.names(record.change)
            if error.endsLocalTier, !isSuperseded, record.sealed.slots.pin == slot {
                record.sealed.slots.pin = slot.withLocalTier(nil)
            }
            guard try await writeUnlocking(&record) else { continue }
            attempt.uncharge()
            guard isSuperseded else {
                guard case .lockedOut(let wait?) = error else { throw .hardener(error) }
                throw .refused(.waiting(wait, triesLeft: lockout.triesLeft(record.ledger)))
            }
            attempt.triesChange = true
            return
        }
    }

    /// Writes down that a guess for a candidate is about to be sent, so that nobody takes it for somebody else's later.
    func noteSending(of opened: OpenedRecord) async throws(RekeyError) {
        while true {
            var record = try await readUnchanged(opened)
            record.noteGuess { $0.send() }
            if try await writeRekeying(&record) { return }
        }
    }

    /// Writes down what became of a guess before anything else is done about it.
    func note(_ outcome: (inout GuessLedger) -> Void) async throws(UnlockError) {
        while true {
            var record = try await readExisting()
            record.noteGuess(outcome)
            if try await writeUnlocking(&record) { return }
        }
    }

    /// The hardener's keys are gone or about to be, so no PIN leads in any more. The vault is kept, whatever the policy's end: nobody on
    /// this device has used the tries up.
    func endPin(_ slot: PinSlot) async throws(UnlockError) -> PinRefusal {
        while true {
            var record = try await readExisting()
            guard record.sealed.slots.pin == slot || record.change?.slots.pin == slot else {
                return .blocked(unblocking(record))
            }
            record.ledger.chargedAttempt = nil
            record.change = nil
            record.sealed.slots.pin = nil
            record.guesses = nil
            if try await writeUnlocking(&record) { return .blocked(unblocking(record)) }
        }
    }
}

extension PinHardenerError {
    /// Whether it says that `change` was promoted.
    fileprivate func names(_ change: SealedVault?) -> Bool {
        guard case .epochPassed(let standing) = self, let change = change?.slots.pin?.hardened else { return false }
        return change.key.epoch == standing.epoch
    }
}
