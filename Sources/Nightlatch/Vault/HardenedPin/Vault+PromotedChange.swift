import NightlatchWire

// What the hardener has promoted takes its place, whoever finds out about it.
extension Vault {
    /// What takes the place of `sealed` once the hardener has promoted `change`: the same, or, where something was written meanwhile under
    /// the key before, that, sealed under the new key.
    ///
    /// Recipients that were removed meanwhile stay removed, and since the change was sealed for them too, the key is marked as one that is to be
    /// changed. What recovery has made stays sealed for those that recovery has chosen: it trusts nobody who had the key before.
    func promoted(
        _ change: SealedVault,
        over sealed: SealedVault,
        by key: VaultKey
    ) throws(VaultRecordError) -> SealedVault {
        let keepsRecipients = change.keepsRecipients ?? false
        // A planted change is not this vault's successor.
        guard key.vouches(for: change.content), let slot = change.slots.pin, let box = change.predecessor,
            let predecessor = key.openPredecessor(
                box, keepingRecipients: keepsRecipients, format: sealed.content.sealedFormat),
            predecessor.vouches(for: sealed.content)
        else { throw .corrupt }
        guard change.content.generation != sealed.content.generation + 1 else {
            return SealedVault(slots: change.slots, content: change.content)
        }
        let sealedFor = try key.recipients(in: change.content)
        let recipients = keepsRecipients ? sealedFor : try predecessor.recipients(in: sealed.content)
        return try seal(
            sealed.content, from: predecessor, to: key, pin: slot, for: recipients,
            isRekeyDue: sealedFor.recovery != nil && sealedFor.recovery != recipients.recovery)
    }

    /// Puts a hardened slot in the place of a local one, if it was promoted without this device having heard of it. Nothing else can be made
    /// current while it is not in place: opening another epoch would take a code.
    ///
    /// - Parameters:
    ///   - opened: The vault as `pin` has opened it.
    ///   - pin: The PIN, which is that of both slots.
    func takingOverPromoted(_ opened: OpenedRecord, with pin: borrowing Pin) async throws(RekeyError) -> OpenedRecord {
        guard opened.record.sealed.slots.pin?.hardened == nil, try await isChangePromoted(opened.record) else {
            return opened
        }
        do {
            return try await open(with: pin, tryingChange: true)
        } catch {
            throw RekeyError(error)
        }
    }

    /// Puts a change in place that was promoted without this device having heard of it, by the recovery phrase, for which it was sealed too.
    ///
    /// - Parameters:
    ///   - opened: The vault as the phrase has opened it.
    ///   - phraseKeys: What the phrase gives.
    /// - Throws: ``RekeyError/superseded`` if the phrase does not open the change: only its PIN does.
    func takingOverPromoted(
        _ opened: OpenedRecord,
        with phraseKeys: RecoveryKeys
    ) async throws(RekeyError) -> OpenedRecord {
        // The relying party does not know a device that this is no longer.
        guard let change = opened.record.change, try !isOfFormerDevice(change.slots.pin, in: opened),
            try await isChangePromoted(opened.record)
        else { return opened }
        guard let box = change.slots.recovery,
            case .vaultKey(let key, _) = open(box, of: change.content, opened.record.vaultID, with: phraseKeys)
        else {
            // To whom no PIN is open nothing is lost with it.
            guard try isPinClosed(opened) else { throw .superseded }
            return opened
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            var record = try await readUnchanged(opened)
            guard record.change == change else { throw .superseded }
            do {
                record.sealed = try promoted(change, over: record.sealed, by: key)
            } catch {
                throw .record(error)
            }
            record.change = nil
            record.noteGuess { $0.answerForeign() }
            if try await writeRekeying(&record, &retries) { return OpenedRecord(record: record, key: key) }
        }
    }
}
