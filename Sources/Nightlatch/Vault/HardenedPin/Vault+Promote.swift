import NightlatchWire

extension Vault {
    /// Proves the unlock's right guess, if the guess for a candidate would otherwise be the last one or beyond the
    /// limit.
    ///
    /// Without the proof, no guess would be left if the promotion did not succeed. The unlock has already tried the
    /// proof; this tries once more.
    func proveIfLast(_ opened: OpenedRecord) async throws(RekeyError) {
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

    /// Asks the hardener to promote the change that is on disk, and replaces the vault's current state with it.
    ///
    /// If the answer is lost, the change stays beside the current state, and the next unlock finds out whether it was
    /// promoted.
    func promote(
        _ candidate: PinCandidate,
        _ change: SealedVault,
        of opened: OpenedRecord,
        to newKey: VaultKey
    ) async throws(RekeyError) -> OpenedRecord {
        guard let hardener else { throw .noHardener }
        var window: PinWindow?
        do {
            window = try await promoteRepeatedly(candidate, at: hardener)
        } catch {
            switch error {
            case .epochPassed(let standing) where standing.epoch == candidate.epoch.epoch:
                // An earlier request was carried out.
                break
            case .unavailable, .cancelled, .notGenuine, .chip:
                throw .hardener(error)
            case .epochPassed, .candidateOpen, .destroyed, .codeNeeded, .refused, .key, .elsewhere, .lockedOut:
                try await drop(candidate, change, at: hardener)
                throw .hardener(error)
            }
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            guard var record = try await readRekeying(), record.vaultID == opened.record.vaultID else {
                throw .superseded
            }
            let settled = OpenedRecord(record: record, key: newKey, knowledgeKey: candidate.knowledgeKey)
            // A concurrent unlock may have learned of the promotion and have written the change as the current state.
            if record.sealed.slots.pin == change.slots.pin { return settled }
            guard record.change == change else { throw .superseded }
            do {
                record.sealed = try promoted(change, over: record.sealed, by: newKey)
            } catch {
                throw .record(error)
            }
            record.change = nil
            record.guesses = GuessLedger(window: window)
            // The promotion has started the hardener's count again. The device's count starts again too: the PIN is
            // known to be right.
            record.ledger = .clear
            if try await writeRekeying(&record, &retries) {
                return OpenedRecord(record: record, key: newKey, knowledgeKey: candidate.knowledgeKey)
            }
        }
    }

    /// Asks for the promotion, and once more if no answer comes.
    ///
    /// The same request has no second effect, and the candidate's guess may have been the last one.
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
    ) async throws(RekeyError) {
        do {
            try await hardener.abandon(candidate.epoch.epoch, of: candidate.epoch.device, by: candidate.opener)
        } catch {
            // The change stays, and the next unlock asks again.
            return
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            guard var record = try await readRekeying(), record.change == change else { return }
            record.change = nil
            if try await writeRekeying(&record, &retries) { return }
        }
    }
}
