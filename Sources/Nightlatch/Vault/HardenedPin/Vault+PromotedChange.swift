import NightlatchWire

// A change that the hardener has promoted replaces the vault's current state, whichever process learns of the
// promotion.
extension Vault {
    /// Returns the state that replaces `sealed` after the hardener has promoted `change`.
    ///
    /// If nothing was written under the old key since the change was made, this is `change`. Otherwise it is the newer
    /// content, sealed again under the new key. There are two cases:
    ///
    /// - A change of PIN: the recipients are those of the newer content, so recipients that were removed since stay
    ///   removed. If a recovery phrase was removed or replaced since, the new key is already sealed for that phrase and
    ///   must be replaced soon (``VaultContent/isRekeyDue``).
    /// - A change by recovery: the recipients are those that recovery chose. A party that wrote under the old key may
    ///   be an attacker, so its recipients do not count.
    func promoted(
        _ change: SealedVault,
        over sealed: SealedVault,
        by key: VaultKey
    ) throws(VaultError) -> SealedVault {
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
    /// Until this replacement, no slot other than the promoted one can become current: to open another epoch, the
    /// device would need an enrolment code.
    ///
    /// - Parameters:
    ///   - opened: The vault as `pin` has opened it.
    ///   - pin: The PIN of both slots.
    func takingOverPromoted(_ opened: OpenedRecord, with pin: borrowing Pin) async throws(VaultError) -> OpenedRecord {
        guard opened.record.sealed.slots.pin?.hardened == nil, try await isChangePromoted(opened.record) else {
            return opened
        }
        do {
            return try await open(with: pin, tryingChange: true)
        } catch {
            throw VaultError(error)
        }
    }

    /// Replaces the vault's state with a change that was promoted, if the device never received the answer. The
    /// recovery phrase opens the change, which was sealed for it too.
    ///
    /// - Parameters:
    ///   - opened: The vault as the phrase has opened it.
    ///   - phraseKeys: The keys that the phrase gives.
    /// - Throws: ``VaultError/superseded`` if the phrase does not open the change: only its PIN does.
    func takingOverPromoted(
        _ opened: OpenedRecord,
        with phraseKeys: RecoveryKeys
    ) async throws(VaultError) -> OpenedRecord {
        // Asks only about a change of this device: the relying party does not know a former device.
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
            record.sealed = try promoted(change, over: record.sealed, by: key)
            record.change = nil
            record.noteGuess { $0.answerForeign() }
            if try await write(&record, &retries) { return OpenedRecord(record: record, key: key) }
        }
    }
}
