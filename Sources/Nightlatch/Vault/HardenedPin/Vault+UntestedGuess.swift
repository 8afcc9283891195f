import NightlatchWire

// How an attempt ends if the hardener has not answered, or must not be asked.
extension Vault {
    /// Gives the attempt back, because nothing was tested.
    ///
    /// The attempt stays charged if another process has charged one or opened the vault since then. In that case the
    /// count no longer shows which attempts it contains. This returns only if the caller must try another slot.
    func settleUntested(
        _ attempt: inout UnlockAttempt,
        _ error: PinHardenerError,
        _ slot: PinSlot
    ) async throws(UnlockError) {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            var record = try await readExisting()
            let isPromotedElsewhere = attempt.triesChange ? false : await isPromotedElsewhere(record)
            let isThere = record.sealed.slots.pin == slot || record.change?.slots.pin == slot
            // A slot that the PIN alone opens does not depend on the hardener.
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
            // Another process has replaced the slot since then.
            let isReplaced = !isThere && error.endsEpoch
            guard isSuperseded || isReplaced else {
                guard case .lockedOut(let wait?, let triesLeft) = error else { throw .vault(.hardener(error)) }
                let own = lockout(of: record).triesLeft(record.ledger)
                throw .refused(.waiting(wait, triesLeft: min(own, triesLeft ?? own)))
            }
            attempt.triesChange = isSuperseded
            return
        }
    }

    /// Records that the hardener has destroyed its keys, so no PIN opens the vault any more.
    ///
    /// The vault is kept, whatever the policy's end, because no user of this device has used up the attempts. The slot
    /// is kept until the user has set a new PIN: if the hardener names its epoch as current again, the slot opens as
    /// before. Its local tier is removed.
    ///
    /// - Returns: Nil if another process wrote first.
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

    /// Asks the hardener whether a guess may be sent, after the last guess was wrong or the keys are said to be
    /// destroyed. Returns only if a guess may be sent.
    ///
    /// A further guess would destroy the keys, and another process may still prove a right guess. So no guess is sent
    /// before the hardener has said that more are left.
    func askWhetherUsedUp(_ record: VaultRecord, _ slot: PinSlot) async throws(UnlockError) {
        guard let hardener, let hardened = slot.hardened else { return }
        let standing: PinStanding
        do {
            standing = try await hardener.standing(of: hardened.key.device)
        } catch {
            if await hasLostAnswer(slot) { throw .vault(.hardener(error)) }
            throw .refused(.blocked(unblocking(record)))
        }
        // All keys are destroyed. Their destruction has also reset the count, but only a new PIN can use the new
        // guesses.
        guard standing.epoch != nil else { throw .refused(.blocked(unblocking(record))) }
        guard standing.triesLeft == 0 else { return }
        // A guess whose answer this process has lost may be right. If the request of that guess arrived, repeating the
        // guess is not charged.
        guard await hasLostAnswer(slot) else { throw .refused(.blocked(unblocking(record))) }
    }

    /// Returns ``triesLeft(in:)``, after asking the hardener again about a PIN that is recorded as used up.
    func triesLeftAskingAgain(in record: VaultRecord) async -> Int {
        let known = await triesLeft(in: record)
        guard known == 0, record.isUsedUp, let hardener, let hardened = record.sealed.slots.pin?.hardened else {
            return known
        }
        do {
            let standing = try await hardener.standing(of: hardened.key.device)
            guard standing.epoch != nil else { return known }
            return min(lockout(of: record).triesLeft(record.ledger), standing.triesLeft)
        } catch {
            return known
        }
    }
}

extension PinHardenerError {
    /// Whether this error says that `change` was promoted.
    fileprivate func names(_ change: SealedVault?) -> Bool {
        guard case .epochPassed(let standing) = self, let change = change?.slots.pin?.hardened else { return false }
        return change.key.epoch == standing.epoch
    }
}
