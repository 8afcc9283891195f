import NightlatchWire

extension Vault {
    /// Tries a PIN on a slot that a hardener has a part in: asks for the key material, which is counted there, and only then can tell.
    ///
    /// - Returns: Nil if another slot is to be tried, or the same one again.
    func open(
        _ record: VaultRecord,
        _ slot: PinSlot,
        _ hardened: HardenedSlot,
        with pin: borrowing Pin,
        offline: OfflinePinPolicy,
        in workspace: consuming KeyDerivationWorkspace,
        for attempt: inout UnlockAttempt
    ) async throws(UnlockError) -> OpenedRecord? {
        guard let hardener else { throw .noHardener }
        let known = record.guesses?.window
        let halved: HalvedPin
        do {
            halved = try await HalvedPin(stretching: pin, salt: slot.salt, in: workspace)
        } catch {
            throw .keyDerivation(error)
        }
        let binding = HardenedSlotBinding(
            vaultID: record.vaultID, epoch: hardened.key, salt: slot.salt, parameters: slot.parameters,
            format: record.format(of: slot))
        let (pinKey, answer): (HardenedPinKey, HardenedPin)
        do {
            (pinKey, answer) = try await halved.harden(for: binding, by: hardener, in: known)
        } catch {
            // Of a change that may have been promoted only the hardener can say that it was.
            if offline == .local, let tier = hardened.localTier, error.isUnreachable, record.sealed.slots.pin == slot,
                !record.isUsedUp
            {
                return try await openOffline(record, slot, tier, with: pin, for: &attempt, because: error)
            }
            try await settleUntested(&attempt, error, slot)
            return nil
        }
        // Whatever of these does not hold is told and counted alike, here and by the hardener.
        guard let key = pinKey.unwrap(slot), isWhole(record, slot, by: key),
            let knowledgeKey = pinKey.knowledgeKey(in: hardened)
        else {
            try await note { $0.answer(wrong: answer, sentIn: known) }
            let refusal = try await settleWrong(attempt.id, charged: record.ledger).bounded(by: answer)
            guard case .wrong(_, let wait) = refusal, answer.triesLeft == 0 else { throw .refused(refusal) }
            // The last guess that there was. The slot stays: a right one may yet be proved, here or in another process.
            let left = await triesLeft(in: try await readExisting())
            throw .refused(left > 0 ? .wrong(triesLeft: left, wait: wait) : .blocked(unblocking(record)))
        }
        var opened = OpenedRecord(record: record, key: key, knowledgeKey: knowledgeKey)
        // Another process may have written down guesses of its own meanwhile.
        var guesses = try await readExisting().guesses ?? GuessLedger()
        guesses.answer(right: answer, sentIn: known)
        opened.foreignGuesses = guesses.allForeign
        // A change that was promoted has answered those before.
        opened.isEpochDue = (record.sealed.slots.pin == slot ? guesses.allForeign : guesses.foreign) != nil
        let isDropped = try await isAbandoned(record, slot, by: knowledgeKey, at: hardener, for: &attempt)
        if attempt.triesChange, record.sealed.slots.pin == slot { return nil }
        // A proof gives nobody else's guess back. The change of epoch that those take may fail, and the owner's own are to count no longer than
        // they must. What is known of others' is on disk before.
        if opened.isEpochDue { try await note { $0.answer(right: answer, sentIn: known) } }
        let next = await proved(answer.guess, own: guesses.own, hardened.key, knowledgeKey, at: hardener)
        if next == nil, answer.isNearlyLast { opened.unproved = answer.guess }
        return try await settleRight(opened, slot, answer: answer, next: next, isChangeDropped: isDropped)
    }

    /// Whether `key` vouches for what `slot` belongs to, and the slot is one of that vault's.
    private func isWhole(_ record: VaultRecord, _ slot: PinSlot, by key: VaultKey) -> Bool {
        if record.sealed.slots.pin == slot {
            return key.vouches(for: record.sealed.content) && record.sealed.content.takes(slot)
        }
        guard let change = record.change, change.content.takes(slot) else { return false }
        do {
            _ = try promoted(change, over: record.sealed, by: key)
            return true
        } catch {
            return false
        }
    }

    /// Has a change that the hardener did not promote abandoned for ever.
    ///
    /// - Returns: Whether it may be forgotten.
    private func isAbandoned(
        _ record: VaultRecord,
        _ slot: PinSlot,
        by knowledgeKey: KnowledgeKey,
        at hardener: any PinHardener,
        for attempt: inout UnlockAttempt
    ) async throws(UnlockError) -> Bool {
        guard record.sealed.slots.pin == slot, let change = record.change?.slots.pin?.hardened else { return false }
        do {
            try await hardener.abandon(
                change.key.epoch, of: change.key.device, by: PinEpochOpener(key: knowledgeKey))
            return true
        } catch .epochPassed(let standing) where standing.epoch == change.key.epoch {
            // It was promoted while this PIN was tried.
            attempt.triesChange = true
            return false
        } catch {
            return false
        }
    }

    /// Tells the hardener that the guess was right. If it does not get to know, the guess counts until the next one that is.
    ///
    /// - Returns: The window that began, or nil if it does not know.
    private func proved(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        _ epoch: HardenedEpoch,
        _ knowledgeKey: KnowledgeKey,
        at hardener: any PinHardener
    ) async -> PinWindow? {
        do {
            return try await hardener.prove(guess, own: own, for: epoch, by: knowledgeKey)
        } catch {
            return nil
        }
    }
}

extension PinRefusal {
    /// The same, where the hardener leaves fewer tries than the device, or makes wait longer.
    fileprivate func bounded(by answer: HardenedPin) -> PinRefusal {
        guard case .wrong(let left, let wait) = self else { return self }
        return .wrong(
            triesLeft: min(left, answer.triesLeft ?? left), wait: [wait, answer.wait].compactMap(\.self).max())
    }
}
