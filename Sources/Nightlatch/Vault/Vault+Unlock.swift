import NightlatchWire

extension Vault {
    /// Opens the vault with `pin`.
    ///
    /// The attempt is charged in the store before the PIN is tried, and given back only if the PIN opens the vault. A
    /// crash in between costs one attempt and nothing else. The PIN policy does not apply: a PIN that was set stays
    /// valid.
    ///
    /// If the hardener is unreachable, the local tier opens the vault, if there is one (``OfflinePinPolicy/local``).
    /// ``OpenVault/pinTier`` shows this. Such an unlock takes as long as the port takes to report that the hardener is
    /// unreachable.
    ///
    /// - Throws: ``UnlockError``; the most common one is ``UnlockError/refused(_:)``.
    public func unlock(with pin: borrowing Pin) async throws(UnlockError) -> OpenVault {
        let opened = await hardening(try await open(with: pin, offline: offlinePin), with: pin)
        let current = await raisingKeyDerivation(of: opened, with: pin)
        let open = await OpenVault.opened(current, of: self, by: .pin)
        if current.hasReadablePredecessor { await open.removeReadablePredecessor() }
        return open
    }

    /// Seals an opened vault again, as for a new PIN, if that is due. An error leaves the vault open, and the next
    /// unlock tries again.
    ///
    /// Sealing again is due in each of these cases:
    /// - The vault is of an older format.
    /// - The key derivation of its PIN is too cheap.
    /// - A phrase or the local tier was removed since the vault was sealed.
    /// - The app allows the local tier, but there is none.
    /// - There were foreign guesses at the hardener.
    private func raisingKeyDerivation(of opened: OpenedRecord, with pin: borrowing Pin) async -> OpenedRecord {
        // Without the hardener, the vault cannot be sealed for a hardened PIN.
        guard opened.unreached == nil, let slot = opened.record.sealed.slots.pin,
            opened.record.sealed.content.sealedFormat != .newest
                || opened.record.sealed.content.isRekeyDue == true || opened.isEpochDue || lacksLocalTier(slot)
                || slot.parameters.isWeaker(than: keyDerivation)
        else { return opened }
        let parameters = slot.parameters.isWeaker(than: keyDerivation) ? keyDerivation : slot.parameters
        do {
            return try await rekey(opened, to: pin, stretchedBy: parameters)
        } catch {
            var failed = opened
            failed.rekeyFailure = opened.rekeyFailure ?? error
            return failed
        }
    }

    private func lacksLocalTier(_ slot: PinSlot) -> Bool {
        offlinePin == .local && slot.hardened.map { $0.localTier == nil } ?? false
    }

    /// The single path for every PIN: it charges the attempt, tries the PIN, and gives the charge back if the PIN is
    /// right.
    ///
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - offline: Whether the local tier may open the vault if the hardener is unreachable.
    ///   - tryingChange: Whether the hardener has said that the pending change has become the vault's PIN.
    /// - Returns: The record as it was written last, without a pending change that this PIN could settle.
    func open(
        with pin: borrowing Pin,
        offline: OfflinePinPolicy = .refused,
        tryingChange: Bool = false
    ) async throws(UnlockError) -> OpenedRecord {
        var attempt = UnlockAttempt(triesChange: tryingChange)
        var retries = ConflictRetries(stopsWhenCancelled: false)
        var round = 0
        // Ends: after `slotLimit` slots; the rounds between two of them are conflicts, and `retries` bounds those.
        while true {
            // A further round follows when another process or the hardener makes this attempt try another slot.
            guard round < Self.slotLimit else {
                throw .vault(.store(StoreError(.unavailable, reason: .overtaken(times: round))))
            }

            guard attempt.isCharged || !Task.isCancelled else { throw .cancelled }
            var prepared: KeyDerivationWorkspace?
            guard let (record, slot) = try await charge(&attempt, preparing: &prepared, &retries),
                let workspace = prepared.take()
            else { continue }
            round += 1
            let opened: OpenedRecord?
            if let hardened = slot.hardened {
                opened = try await open(
                    record, slot, hardened, with: pin, offline: offline, in: workspace, for: &attempt)
            } else {
                opened = try await open(
                    record, slot, slot.tier, with: pin, in: workspace, for: attempt)
            }
            // If nothing was opened, the PIN was changed or removed while it was being tried, or the hardener says that
            // another slot is the vault's. The next round tries the current slot.
            if let opened { return opened }
        }
    }

    /// The maximum number of slots that one unlock tries. It is reached only if the PIN is changed repeatedly at the
    /// same time.
    private static let slotLimit = 16

    /// Tries a PIN on a part that the PIN alone opens: a slot, or a slot's local tier.
    func open(
        _ record: VaultRecord,
        _ slot: PinSlot,
        _ tier: LocalTier,
        with pin: borrowing Pin,
        in workspace: consuming KeyDerivationWorkspace,
        for attempt: UnlockAttempt
    ) async throws(UnlockError) -> OpenedRecord? {
        let pinKey: PinKey
        do {
            pinKey = try await PinKey(
                pin, vaultID: record.vaultID, epoch: record.sealed.content.epoch, salt: tier.salt,
                parameters: slot.parameters, format: record.sealed.content.sealedFormat, in: workspace)
        } catch {
            throw .vault(.keyDerivation(error))
        }
        // If any of these conditions fails, the PIN is reported and counted as wrong. A different report would help an
        // attacker who can write the record: they could insert their own slot, and learn whether the typed PIN is one
        // of those that the slot was made for.
        guard let key = pinKey.unwrap(tier, vaultID: record.vaultID), key.vouches(for: record.sealed.content),
            record.sealed.content.takes(slot)
        else {
            throw .refused(try await settleWrong(attempt.id, charged: record))
        }
        guard let settled = try await settleRight(slot) else { return nil }
        // The content was changed while the PIN was being tried, but the PIN is right.
        guard key.vouches(for: settled.sealed.content) else { throw .vault(.corrupt) }
        return OpenedRecord(record: settled, key: key)
    }

    /// Keeps the charge of a wrong PIN. The last attempt ends the PIN as the policy says.
    ///
    /// - Parameter charged: The record with the charge.
    func settleWrong(_ attempt: AttemptID, charged: VaultRecord) async throws(UnlockError) -> PinRefusal {
        let lockout = self.lockout(of: charged)
        guard lockout.ends(attempt, in: charged.ledger) else {
            let wait = charged.ledger.waitMilliseconds
            return .wrong(triesLeft: lockout.triesLeft(charged.ledger), wait: wait > 0 ? .milliseconds(wait) : nil)
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let record = try await readExisting()
            let lockout = self.lockout(of: record)
            // An attempt that was charged earlier has opened the vault since then.
            guard lockout.ends(attempt, in: record.ledger) else {
                return .wrong(triesLeft: lockout.triesLeft(record.ledger), wait: nil)
            }
            do {
                if let refusal = try await end(record, &retries) { return refusal }
            } catch {
                throw .vault(error)
            }
        }
    }

    /// Records that the PIN was right: resets the count, and drops an unfinished change.
    ///
    /// - Returns: The record as written, or nil if `slot` is no longer the vault's.
    private func settleRight(_ slot: PinSlot) async throws(UnlockError) -> VaultRecord? {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            var record = try await readExisting()
            guard record.sealed.slots.pin == slot else { return nil }
            record.ledger = .clear
            // This slot must not drop a change that the hardener may have promoted.
            if record.change?.slots.pin?.hardened == nil { record.change = nil }
            if try await writeUnlocking(&record, &retries) { return record }
        }
    }

    func readExisting() async throws(UnlockError) -> VaultRecord {
        let record: VaultRecord?
        do {
            record = try await read()
        } catch {
            throw .vault(error)
        }
        guard let record else { throw .noVault }
        return record
    }

    func writeUnlocking(
        _ record: inout VaultRecord,
        _ retries: inout ConflictRetries
    ) async throws(UnlockError) -> Bool {
        do {
            return try await write(&record, &retries)
        } catch {
            throw .vault(error)
        }
    }
}
