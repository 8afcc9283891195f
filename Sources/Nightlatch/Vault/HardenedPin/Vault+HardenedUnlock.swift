import NightlatchWire

extension Vault {
    /// Tries a PIN on a hardened slot. It asks the hardener, which charges a guess. Only the hardener's answer shows
    /// whether the PIN is right.
    ///
    /// - Returns: Nil if the caller must try another slot, or the same one again.
    func open(
        _ record: VaultRecord,
        _ slot: PinSlot,
        _ hardened: HardenedSlot,
        with pin: borrowing Pin,
        offline: OfflinePinPolicy,
        in workspace: consuming KeyDerivationWorkspace,
        for attempt: inout UnlockAttempt
    ) async throws(UnlockError) -> OpenedRecord? {
        guard let hardener else { throw .vault(.noHardener) }
        let known = record.guesses?.window
        let halved: HalvedPin
        do {
            halved = try await HalvedPin(stretching: pin, salt: slot.salt, in: workspace)
        } catch {
            throw .vault(.keyDerivation(error))
        }
        let binding = HardenedSlotBinding(
            vaultID: record.vaultID, epoch: hardened.key, salt: slot.salt, parameters: slot.parameters,
            format: record.format(of: slot))
        let (pinKey, answer): (HardenedPinKey, HardenedPin)
        do {
            (pinKey, answer) = try await halved.harden(for: binding, by: hardener, in: known)
        } catch {
            // If the slot is of a change that may have been promoted, only the hardener can say whether it was.
            if offline == .local, let tier = hardened.localTier, error.isUnreachable, record.sealed.slots.pin == slot,
                !record.isUsedUp
            {
                return try await openOffline(record, slot, tier, with: pin, for: &attempt, because: error)
            }
            try await settleUntested(&attempt, error, slot)
            return nil
        }
        // If any of these conditions fails, the PIN is reported and counted as wrong, here and by the hardener.
        guard let key = pinKey.unwrap(slot), isWhole(record, slot, by: key),
            let knowledgeKey = pinKey.knowledgeKey(in: hardened)
        else {
            try await note { $0.answer(wrong: answer, sentIn: known) }
            let refusal = try await settleWrong(attempt.id, charged: record).bounded(by: answer)
            guard case .wrong(_, let wait) = refusal, answer.triesLeft == 0 else { throw .refused(refusal) }
            // This was the last guess. The slot stays, since this or another process may still prove a right guess.
            let left = await triesLeft(in: try await readExisting())
            throw .refused(left > 0 ? .wrong(triesLeft: left, wait: wait) : .blocked(unblocking(record)))
        }
        var opened = OpenedRecord(record: record, key: key, knowledgeKey: knowledgeKey)
        // Another process may have recorded its own guesses since the attempt was charged.
        var guesses = try await readExisting().guesses ?? GuessLedger()
        guesses.answer(right: answer, sentIn: known)
        opened.foreignGuesses = guesses.allForeign
        // A promoted change has already ended the foreign guesses of earlier windows.
        opened.isEpochDue = (record.sealed.slots.pin == slot ? guesses.allForeign : guesses.foreign) != nil
        let isDropped = try await isAbandoned(record, slot, by: knowledgeKey, at: hardener, for: &attempt)
        if attempt.triesChange, record.sealed.slots.pin == slot { return nil }
        // A proof does not remove foreign guesses from the count. The change of epoch that they require may end with an
        // error, so the proof below removes this device's own guesses now. Before that, the foreign guesses are
        // recorded on disk.
        if opened.isEpochDue { try await note { $0.answer(right: answer, sentIn: known) } }
        let next = await proved(answer.guess, own: guesses.own, hardened.key, knowledgeKey, at: hardener)
        if next == nil, answer.isNearlyLast { opened.unproved = answer.guess }
        return try await settleRight(opened, slot, answer: answer, next: next, isChangeDropped: isDropped)
    }

    /// Whether `key` vouches for the content that `slot` belongs to, and the slot is one of that vault's.
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

    /// Abandons a pending change that the hardener did not promote, so that it can never be promoted.
    ///
    /// - Returns: Whether the change may be dropped.
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
            // The change was promoted while this PIN was being tried.
            attempt.triesChange = true
            return false
        } catch {
            return false
        }
    }

    /// Proves to the hardener that the guess was right. If the proof does not arrive, the guess counts until the next
    /// proof that does.
    ///
    /// - Returns: The window that began, or nil if no answer arrived.
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
    /// Returns the same refusal, with the hardener's number of attempts or wait if that is stricter than the device's.
    fileprivate func bounded(by answer: HardenedPin) -> PinRefusal {
        guard case .wrong(let left, let wait) = self else { return self }
        return .wrong(
            triesLeft: min(left, answer.triesLeft ?? left), wait: [wait, answer.wait].compactMap(\.self).max())
    }
}
