import NightlatchWire

// A change that the hardener has promoted replaces the vault's current state, whichever process learns of the
// promotion.
extension Vault {
    /// Returns the state that replaces `sealed` after the hardener has promoted `change`.
    ///
    /// This is `change` itself. If something was written under the old key since the change was made, it is that newer
    /// content, sealed under the new key.
    ///
    /// Recipients that were removed since then stay removed. The change was sealed for them too, so the new key is
    /// marked for replacement. A change that recovery made keeps the recipients that recovery chose, because any writer
    /// with the old key may be an attacker.
    func promoted(
        _ change: SealedVault,
        over sealed: SealedVault,
        by key: VaultKey
    ) throws(VaultRecordError) -> SealedVault {
        let keepsRecipients = change.keepsRecipients ?? false
        // A change that an attacker wrote is not this vault's successor.
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

    /// Replaces a local slot with a hardened one, if the hardened one was promoted and the device never received the
    /// answer.
    ///
    /// Before this replacement, no other slot can become current: opening another epoch would need a code.
    ///
    /// - Parameters:
    ///   - opened: The vault as `pin` has opened it.
    ///   - pin: The PIN of both slots.
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

    /// Replaces the vault's state with a change that was promoted, if the device never received the answer. The
    /// recovery phrase opens the change, which was sealed for it too.
    ///
    /// - Parameters:
    ///   - opened: The vault as the phrase has opened it.
    ///   - phraseKeys: The keys that the phrase gives.
    /// - Throws: ``RekeyError/superseded`` if the phrase does not open the change: only its PIN does.
    func takingOverPromoted(
        _ opened: OpenedRecord,
        with phraseKeys: RecoveryKeys
    ) async throws(RekeyError) -> OpenedRecord {
        // The relying party does not know a former device, so it is not asked about one.
        guard let change = opened.record.change, try !isOfFormerDevice(change.slots.pin, in: opened),
            try await isChangePromoted(opened.record)
        else { return opened }
        guard let box = change.slots.recovery,
            case .vaultKey(let key, _) = open(box, of: change.content, opened.record.vaultID, with: phraseKeys)
        else {
            // If no PIN opens the vault, dropping the change loses nothing.
            guard try isPinClosed(opened) else { throw .superseded }
            return opened
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
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
