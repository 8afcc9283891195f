import NightlatchWire

extension Vault {
    /// Seals the vault again under a new vault key, which is wrapped for `pin` and for every recipient.
    ///
    /// Everything is sealed and written beside the current state, read back, and opened with the PIN. Only then does it
    /// replace the current state, in one write. After a crash at any point, the vault has its old or its new state,
    /// with the same secrets.
    ///
    /// Since the vault key is new, an old copy of the record opens nothing that is written later, whichever slot opens
    /// the copy.
    ///
    /// - Parameters:
    ///   - opened: The record as it was opened. If the vault has another PIN by now, nothing is done.
    ///   - pin: The new PIN, or the same one again.
    ///   - parameters: The parameters that stretch the PIN; nil for those of new PINs.
    ///   - resettingCount: Whether the count of wrong PINs is reset as well.
    ///   - phraseKey: After a recovery, the public key of the phrase: the vault is sealed for it, and for no
    ///     biometrics. Otherwise nil, and the recipients stay the same.
    ///   - plan: The parts that the new slot depends on; nil for those of the current slot.
    func rekey(
        _ opened: OpenedRecord,
        to pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters? = nil,
        resettingCount: Bool = false,
        recoveringWith phraseKey: X25519PublicKey? = nil,
        by plan: PinSlotPlan? = nil
    ) async throws(VaultError) -> OpenedRecord {
        let newKey = VaultKey(vaultID: opened.record.vaultID)
        let inherited: PinSlotPlan
        if let plan { inherited = plan } else { inherited = try await self.plan(for: opened) }
        // Guesses of a former device do not count any more.
        if case .hardened(let device, _) = inherited,
            device.device == opened.record.sealed.slots.pin?.hardened?.key.device.device
        {
            try await proveIfLast(opened)
        }
        let new: NewPinSlot
        do {
            new = try await makeSlot(
                for: newKey, pin: pin, stretchedBy: parameters ?? keyDerivation, of: opened, by: inherited)
        } catch {
            guard case .candidateOpen(let standing) = error.cause as? PinHardenerError else { throw error }
            try await abandonCandidate(standing, of: opened)
            new = try await makeSlot(
                for: newKey, pin: pin, stretchedBy: parameters ?? keyDerivation, of: opened, by: inherited)
        }
        var record = new.candidate == nil ? opened.record : try await readUnchanged(opened)
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            try await checkReplaceable(record, by: new, of: opened)
            let change = try makeChange(
                of: record.sealed.content, from: opened.key, to: newKey, new, recoveringWith: phraseKey)
            record.change = change
            if let candidate = new.candidate { record.noteGuess { $0.answer(candidate.guess) } }
            if try await write(&record, &retries), try await prove(change, new, opensWith: pin) {
                if let candidate = new.candidate {
                    return try await promote(candidate, change, of: opened, to: newKey).telling(of: opened)
                }
                record = try await readUnchanged(opened)
                // Only a change that was tested takes effect, and only if the vault was not changed since it was
                // sealed.
                if record.change == change, change.content.generation == record.sealed.content.generation + 1 {
                    record.sealed = change
                    record.change = nil
                    record.guesses = nil
                    if resettingCount { record.ledger = .clear }
                    if try await write(&record, &retries) {
                        return OpenedRecord(record: record, key: newKey).telling(of: opened)
                    }
                }
            }
            do {
                try await retries.again()
            } catch {
                throw .store(error)
            }
            record = try await readUnchanged(opened)
        }
    }

    /// Reads the record back and opens every part of the change with the new PIN, as the next unlock would.
    ///
    /// - Returns: False if the record no longer contains the change, because an unlock has dropped it.
    private func prove(
        _ change: SealedVault,
        _ new: NewPinSlot,
        opensWith pin: borrowing Pin
    ) async throws(VaultError) -> Bool {
        guard let stored = try await read() else { throw .superseded }
        guard stored.change == change, let slot = change.slots.pin else {
            // Of two concurrent changes, the later one continues.
            guard stored.change == nil else { throw .superseded }
            return false
        }
        guard let key = try await new.vaultKey(in: slot, of: stored.vaultID, epoch: change.content.epoch, with: pin),
            key.vouches(for: change.content),
            change.content.items.allSatisfy({ name, box in
                SecretName(rawValue: name).map { key.open(box, as: $0) != nil } ?? false
            })
        else { throw .corrupt }
        return true
    }

    /// Returns the current record, if it is still the one that was opened.
    func readUnchanged(_ opened: OpenedRecord) async throws(VaultError) -> VaultRecord {
        guard let record = try await read(), record.vaultID == opened.record.vaultID,
            record.sealed.content.epoch == opened.record.sealed.content.epoch,
            record.sealed.slots.pin == opened.record.sealed.slots.pin
        else { throw .superseded }
        guard opened.key.vouches(for: record.sealed.content) else { throw .corrupt }
        return record
    }
}
