import NightlatchWire

// What becomes of an attempt that the hardener has not answered, or must not be asked for.
extension Vault {
    /// Nothing was tested, so the attempt is given back; unless others were charged or have opened the vault since, since then nobody can
    /// tell whose the failures are that count now.
    ///
    /// It returns if another slot is to be tried.
    func settleUntested(
        _ attempt: inout UnlockAttempt,
        _ error: PinHardenerError,
        _ slot: PinSlot
    ) async throws(UnlockError) {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            var record = try await readExisting()
            let isPromotedElsewhere = attempt.triesChange ? false : await isPromotedElsewhere(record)
            let isThere = record.sealed.slots.pin == slot || record.change?.slots.pin == slot
            // A slot that the PIN alone opens is none of the hardener's.
            let isLocal = record.sealed.slots.pin.map { $0.hardened == nil } ?? false
            if error == .destroyed, isThere, !isLocal, !isPromotedElsewhere {
                guard let refusal = try await endPin(record, attempt, &retries) else { continue }
                throw .refused(refusal)
            }
            if record.ledger.chargedAttempt == attempt.id, let before = attempt.ledgerBefore { record.ledger = before }
            if error.isDecision { record.noteGuess { $0.takeBack() } }
            let isSuperseded = !attempt.triesChange && (error.names(record.change) || isPromotedElsewhere)
            if error == .destroyed, isThere, !isSuperseded {
                record.change = nil
            } else if error.endsLocalTier, !isSuperseded, record.sealed.slots.pin == slot {
                record.sealed.slots.pin = slot.withLocalTier(nil)
            }
            guard try await writeUnlocking(&record, &retries) else { continue }
            attempt.uncharge()
            // Another process has put another slot in its place meanwhile.
            let isReplaced = !isThere && error.endsEpoch
            guard isSuperseded || isReplaced else {
                guard case .lockedOut(let wait?) = error else { throw .hardener(error) }
                throw .refused(.waiting(wait, triesLeft: lockout.triesLeft(record.ledger)))
            }
            attempt.triesChange = isSuperseded
            return
        }
    }

    /// The hardener says that its keys are gone, so no PIN leads in any more. The vault is kept, whatever the policy's end: nobody on this device has
    /// used the tries up. The slot is kept as well, until the person has set a new PIN: if the hardener names its epoch as current again, it
    /// opens as before. Its local tier goes.
    ///
    /// - Returns: Nil if someone else wrote first.
    private func endPin(
        _ record: VaultRecord,
        _ attempt: UnlockAttempt,
        _ retries: inout ConflictRetries
    ) async throws(UnlockError) -> PinRefusal? {
        var record = record
        if record.ledger.chargedAttempt == attempt.id, let before = attempt.ledgerBefore { record.ledger = before }
        record.sealed.slots.pin = record.sealed.slots.pin.map { $0.withLocalTier(nil) }
        record.noteGuess { $0.end() }
        return try await writeUnlocking(&record, &retries) ? .blocked(unblocking(record)) : nil
    }

    /// Once the last guess is known to have been a wrong one, or the keys are said to be destroyed, no other is sent before the hardener has said that
    /// there are more: it would destroy the keys, and a right guess may yet be proved. It returns if one may be sent.
    func askWhetherUsedUp(_ record: VaultRecord, _ slot: PinSlot) async throws(UnlockError) {
        guard let hardener, let hardened = slot.hardened else { return }
        let standing: PinStanding
        do {
            standing = try await hardener.standing(of: hardened.key.device)
        } catch {
            if await hasLostAnswer(slot) { throw .hardener(error) }
            throw .refused(.blocked(unblocking(record)))
        }
        // All keys are destroyed. The count has begun anew with that, for a new PIN.
        guard standing.epoch != nil else { throw .refused(.blocked(unblocking(record))) }
        guard standing.triesLeft == 0 else { return }
        // One whose answer this process has lost may be the right one. It is asked for again, and not charged if it had arrived.
        guard await hasLostAnswer(slot) else { throw .refused(.blocked(unblocking(record))) }
    }

    /// As ``triesLeft(in:)``, once the hardener was asked again about a PIN that is said to be used up.
    func triesLeftAskingAgain(in record: VaultRecord) async -> Int {
        let known = await triesLeft(in: record)
        guard known == 0, record.isUsedUp, let hardener, let hardened = record.sealed.slots.pin?.hardened else {
            return known
        }
        do {
            let standing = try await hardener.standing(of: hardened.key.device)
            guard standing.epoch != nil else { return known }
            return min(lockout.triesLeft(record.ledger), standing.triesLeft)
        } catch {
            return known
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
