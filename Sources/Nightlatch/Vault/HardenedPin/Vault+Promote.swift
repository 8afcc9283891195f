import NightlatchWire

extension Vault {
    /// Proves the unlock's right guess, if the unlock itself could not prove it and at most one guess was left.
    ///
    /// A candidate needs a guess for itself. If that guess were the last one and the promotion failed, no guess would
    /// be left. The proof prevents this: it removes this device's guesses from the count.
    func proveIfLast(_ opened: OpenedRecord) async throws(VaultError) {
        guard let guess = opened.unproved, let hardener, let knowledgeKey = opened.knowledgeKey,
            let epoch = opened.record.sealed.slots.pin?.hardened?.key
        else { return }
        do {
            _ = try await hardener.prove(
                guess, own: opened.record.guesses?.own ?? .none, for: epoch, by: knowledgeKey)
        } catch {
            throw .hardener(error)
        }
    }

    /// Asks the hardener to promote the change that is on disk, then replaces the vault's current state with the
    /// change.
    ///
    /// If the hardener's answer is lost, the record keeps both the current state and the change. The next unlock finds
    /// out whether the change was promoted.
    func promote(
        _ candidate: PinCandidate,
        _ change: SealedVault,
        of opened: OpenedRecord,
        to newKey: VaultKey
    ) async throws(VaultError) -> OpenedRecord {
        guard let hardener else { throw .noHardener }
        var window: PinWindow?
        do {
            window = try await promoteRepeatedly(candidate, at: hardener)
        } catch {
            switch error {
            case .epochPassed(let standing) where standing.epoch == candidate.epoch.epoch:
                // An earlier request was carried out.
                break
            case .unavailable, .cancelled, .notGenuine, .chip, .store:
                throw .hardener(error)
            case .epochPassed, .candidateOpen, .destroyed, .codeNeeded, .refused, .key, .elsewhere, .lockedOut:
                try await drop(candidate, change, at: hardener)
                throw .hardener(error)
            }
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            guard var record = try await read(), record.vaultID == opened.record.vaultID else {
                throw .superseded
            }
            let settled = OpenedRecord(record: record, key: newKey, knowledgeKey: candidate.knowledgeKey)
            // A concurrent unlock may have learned of the promotion and have written the change as the current state.
            if record.sealed.slots.pin == change.slots.pin { return settled }
            guard record.change == change else { throw .superseded }
            record.sealed = try promoted(change, over: record.sealed, by: newKey)
            record.change = nil
            record.guesses = GuessLedger(window: window)
            // The promotion has reset the hardener's count. The device's count is reset too, because the PIN is known
            // to be right.
            record.ledger = .clear
            if try await write(&record, &retries) {
                return OpenedRecord(record: record, key: newKey, knowledgeKey: candidate.knowledgeKey)
            }
        }
    }

    /// Requests the promotion, and repeats the request once if no answer comes.
    ///
    /// The repeated request has no second effect. Repeating it at once matters, because the candidate's guess may have
    /// been the last one.
    private func promoteRepeatedly(
        _ candidate: PinCandidate,
        at hardener: any PinHardener
    ) async throws(PinHardenerError) -> PinWindow {
        var isRepeated = false
        // Ends: after one repetition.
        while true {
            do {
                return try await hardener.promote(
                    candidate.epoch, guess: candidate.guess, knowledgeKey: candidate.knowledgeKey, by: candidate.opener)
            } catch {
                guard error.isUnreachable, !isRepeated, !Task.isCancelled else { throw error }
                isRepeated = true
            }
        }
    }

    /// Abandons the candidate and then drops the change, after the hardener has decided against the promotion.
    private func drop(
        _ candidate: PinCandidate,
        _ change: SealedVault,
        at hardener: any PinHardener
    ) async throws(VaultError) {
        do {
            try await hardener.abandon(candidate.epoch.epoch, of: candidate.epoch.device, by: candidate.opener)
        } catch {
            // The change stays, and the next unlock asks again.
            return
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            guard var record = try await read(), record.change == change else { return }
            record.change = nil
            if try await write(&record, &retries) { return }
        }
    }
}
