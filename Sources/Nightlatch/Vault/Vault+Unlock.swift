import NightlatchWire

extension Vault {
    /// Opens the vault with `pin`.
    ///
    /// The attempt is charged in the store before the PIN is tried and given back only when it opens. A crash in between
    /// costs an attempt and nothing else. The PIN policy is not asked: a PIN that was set stays good.
    ///
    /// With a hardener that cannot be reached the local tier opens the vault if there is one (``OfflinePinPolicy/local``); ``OpenVault/pinTier``
    /// tells. That takes as long as the port takes to say that nobody is there.
    ///
    /// - Throws: ``UnlockError``, of which ``UnlockError/refused(_:)`` is the everyday one.
    public func unlock(with pin: borrowing Pin) async throws(UnlockError) -> OpenVault {
        let opened = await hardening(try await open(with: pin, offline: offlinePin), with: pin)
        let current = await raisingKeyDerivation(of: opened, with: pin)
        let open = await OpenVault.opened(current, of: self, by: .pin)
        if current.hasReadablePredecessor { await open.removeReadablePredecessor() }
        return open
    }

    /// Seals a vault anew, as for a new PIN, if it is of an older format, its PIN is stretched too little, a phrase or the local tier has gone since it was sealed, the
    /// local tier is to be had and is not there, or somebody has guessed at the hardener. What goes wrong leaves a vault that is open, which is what was asked for; the next unlock tries again.
    private func raisingKeyDerivation(of opened: OpenedRecord, with pin: borrowing Pin) async -> OpenedRecord {
        // Out of reach of the hardener there is nothing that it could be sealed with.
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

    /// The one gate that every PIN goes through: charge, try, and give the charge back if the PIN is right.
    ///
    /// - Parameters:
    ///   - pin: The PIN.
    ///   - offline: Whether the local tier may open the vault if the hardener is out of reach.
    ///   - tryingChange: Whether the hardener has said that the change under way has become the vault's PIN.
    /// - Returns: The record as it was written last, with no change under way that this PIN could settle.
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
            // Each round is an attempt that another process, or the hardener, has told to try another slot.
            guard round < Self.slotLimit else {
                throw .record(.store(StoreError(.unavailable, reason: .overtaken(times: round))))
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
            // Otherwise the PIN was changed or ended while it was tried, and what it opened is no longer the vault; or the hardener
            // says that another slot is the vault's.
            if let opened { return opened }
        }
    }

    /// How many slots one unlock tries, one after the other, for a PIN that is changed again and again at the same time.
    private static let slotLimit = 16

    /// Tries a PIN on what it alone opens: a slot, or the local tier of one.
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
            throw .keyDerivation(error)
        }
        // Whatever of these does not hold is told and counted alike: else who can write the record could have a slot of theirs there, and learn
        // from the answer whether the PIN that was typed is one of those that they have made it for.
        guard let key = pinKey.unwrap(tier, vaultID: record.vaultID), key.vouches(for: record.sealed.content),
            record.sealed.content.takes(slot)
        else {
            throw .refused(try await settleWrong(attempt.id, charged: record.ledger))
        }
        guard let settled = try await settleRight(slot) else { return nil }
        // It was changed while the PIN was tried, and the PIN is right all the same.
        guard key.vouches(for: settled.sealed.content) else { throw .record(.corrupt) }
        return OpenedRecord(record: settled, key: key)
    }

    /// The verdict "wrong": the charge stands, and the last one is the end that the policy says.
    func settleWrong(_ attempt: AttemptID, charged: LockoutLedger) async throws(UnlockError) -> PinRefusal {
        guard lockout.ends(attempt, in: charged) else {
            let wait = charged.waitMilliseconds
            return .wrong(triesLeft: lockout.triesLeft(charged), wait: wait > 0 ? .milliseconds(wait) : nil)
        }
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            let record = try await readExisting()
            // Someone whose attempt was charged earlier has opened the vault meanwhile.
            guard lockout.ends(attempt, in: record.ledger) else {
                return .wrong(triesLeft: lockout.triesLeft(record.ledger), wait: nil)
            }
            do {
                if let refusal = try await end(record, &retries) { return refusal }
            } catch {
                throw .record(error)
            }
        }
    }

    /// The verdict "right": the count begins anew, and a change that was never finished is dropped.
    ///
    /// - Returns: The record as written, or nil if `slot` is no longer the vault's.
    private func settleRight(_ slot: PinSlot) async throws(UnlockError) -> VaultRecord? {
        var retries = ConflictRetries(stopsWhenCancelled: false)
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            var record = try await readExisting()
            guard record.sealed.slots.pin == slot else { return nil }
            record.ledger = .clear
            // One that the hardener may have promoted is not this slot's to drop.
            if record.change?.slots.pin?.hardened == nil { record.change = nil }
            if try await writeUnlocking(&record, &retries) { return record }
        }
    }

    func readExisting() async throws(UnlockError) -> VaultRecord {
        let record: VaultRecord?
        do {
            record = try await read()
        } catch {
            throw .record(error)
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
            throw .record(error)
        }
    }
}
