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
        in workspace: consuming KeyDerivationWorkspace,
        for attempt: inout UnlockAttempt
    ) async throws(UnlockError) -> OpenedRecord? {
        guard let hardener else { throw .noHardener }
        let halved: HalvedPin
        do {
            halved = HalvedPin(try await workspace.stretch(pin, salt: slot.salt.bytes, byteCount: HalvedPin.byteCount))
        } catch {
            throw .keyDerivation(error)
        }
        let answer: HardenedPin
        do {
            answer = try await hardener.harden(halved.input(for: hardened.key), for: hardened.key)
        } catch {
            try await settleUntested(&attempt, error, slot)
            return nil
        }
        let pinKey = HardenedPinKey(
            halved, hardenedTo: answer.key, vaultID: record.vaultID, epoch: hardened.key, salt: slot.salt,
            parameters: slot.parameters)
        guard let key = pinKey.unwrap(slot, vaultID: record.vaultID) else {
            try await note(answer.guess)
            guard answer.triesLeft > 0 else { throw .refused(try await endPin(slot)) }
            throw .refused(try await settleWrong(attempt.id, charged: record.ledger).bounded(by: answer.triesLeft))
        }
        guard let knowledgeKey = pinKey.knowledgeKey(in: hardened) else { throw .record(.corrupt) }
        var opened = OpenedRecord(record: record, key: key, knowledgeKey: knowledgeKey)
        let unknown = (record.guesses ?? .none).unknown(in: answer.charged).filter { $0 != answer.guess }
        if !unknown.isEmpty {
            // This guess is among those that were sent.
            let possiblyOwn = max(0, (record.guesses?.unanswered ?? 0) - 1)
            opened.foreignGuesses = ForeignGuesses(count: unknown.count, possiblyOwn: possiblyOwn)
            opened.isEpochDue = true
        }
        let isDropped = try await isAbandoned(record, slot, by: knowledgeKey, at: hardener, for: &attempt)
        if attempt.triesChange, record.sealed.slots.pin == slot { return nil }
        // A proof would give whoever guesses another limit's worth before the epoch is changed, and the change clears the count as well.
        // But it takes a guess.
        let isProved =
            opened.isEpochDue && answer.triesLeft > 0
            ? false : await isProved(answer.guess, hardened.key, knowledgeKey, at: hardener)
        return try await settleRight(
            opened, slot, guess: answer.guess, isProved: isProved, isChangeDropped: isDropped)
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
            try await hardener.abandon(change.key, by: PinEpochOpener(key: knowledgeKey))
            return true
        } catch .epochPassed(let standing) where standing.epoch == change.key.epoch {
            // It was promoted while this PIN was tried.
            attempt.triesChange = true
            return false
        } catch {
            return false
        }
    }

    /// Whether the hardener knows that the guess was right. If it does not, it counts until the next one that is.
    private func isProved(
        _ guess: PinGuessID,
        _ epoch: HardenedEpoch,
        _ knowledgeKey: KnowledgeKey,
        at hardener: any PinHardener
    ) async -> Bool {
        do {
            try await hardener.prove(guess, for: epoch, by: knowledgeKey)
            return true
        } catch {
            return false
        }
    }

    /// The verdict "right": the count begins anew, and a change that the hardener promoted takes its place.
    ///
    /// - Returns: Nil if `slot` is no longer the vault's.
    private func settleRight(
        _ opened: OpenedRecord,
        _ slot: PinSlot,
        guess: PinGuessID,
        isProved: Bool,
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
            } else {
                return nil
            }
            record.ledger = .clear
            if isProved { record.guesses = nil } else { record.noteGuess { $0.answer(guess) } }
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
    private func settleUntested(
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
            guard try await writeUnlocking(&record) else { continue }
            attempt.uncharge()
            guard !attempt.triesChange, case .epochPassed(let standing) = error,
                let change = record.change?.slots.pin?.hardened, change.key.epoch == standing.epoch
            else { throw .hardener(error) }
            attempt.triesChange = true
            return
        }
    }

    private func note(_ guess: PinGuessID) async throws(UnlockError) {
        while true {
            var record = try await readExisting()
            record.noteGuess { $0.answer(guess) }
            if try await writeUnlocking(&record) { return }
        }
    }

    /// The hardener's keys are gone or about to be, so no PIN leads in any more. The vault is kept, whatever the policy's end: nobody on
    /// this device has used the tries up.
    private func endPin(_ slot: PinSlot) async throws(UnlockError) -> PinRefusal {
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

extension PinRefusal {
    /// The same, where the hardener leaves fewer tries than the device.
    fileprivate func bounded(by triesLeft: Int) -> PinRefusal {
        guard case .wrong(let left, let wait) = self else { return self }
        return .wrong(triesLeft: min(left, triesLeft), wait: wait)
    }
}

extension PinHardenerError {
    /// Whether nothing was charged at the other side, for sure.
    fileprivate var isDecision: Bool {
        switch self {
        case .unavailable, .notGenuine, .cancelled: false
        case .epochPassed, .destroyed, .codeNeeded, .refused, .key, .elsewhere: true
        }
    }
}
