public import NightlatchWire

extension ChipPinHardener {
    /// Never serves a binding: ``ownDevice`` is the one that this hardener is for.
    ///
    /// - Throws: ``PinHardenerError/elsewhere(_:)``.
    public func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener {
        throw .elsewhere(HardenedDevice(binding))
    }

    public func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        try check(device)
        return try await read().standing
    }

    /// Opens the next epoch as a candidate. Nothing is sealed yet: what a key is sealed under comes with ``harden(_:for:in:)``.
    public func open(
        _ device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        try check(device)
        let name = PinPublicKey(unchecked: Base64URL.encode([2] + randomBytes(count: 48)))
        let number = try await update { record in record.open(name) }
        return HardenedEpoch(device: device, epoch: number, publicKey: name)
    }

    /// Clears no count: no chip lets a right PIN do that. But the PIN was the vault's, so if its epoch is a candidate still, since there was a
    /// crash before the promotion of a new vault's, it becomes current here.
    public func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow {
        try check(epoch.device)
        if try await read().isCandidate(epoch) { _ = try await update { record in record.promote(epoch) } }
        return guess.window.next
    }

    /// Makes the candidate current, and forgets what was sealed for the epoch before, in one write.
    public func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow {
        try check(candidate.device)
        let (isCurrent, standing) = try await update { record in (record.promote(candidate), record.standing) }
        guard isCurrent else { throw .epochPassed(standing) }
        return guess.window.next
    }

    /// Forgets what was sealed for a candidate.
    public func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        try check(device)
        let (isGone, standing) = try await update { record in (record.abandon(candidate), record.standing) }
        guard isGone else { throw .epochPassed(standing) }
    }

    /// Forgets every key, after the vault was erased or where the record of the keys is damaged (``PinChipError/corrupt``). If the vault was
    /// not erased, no PIN opens it any more: open it another way, and set a new PIN.
    ///
    /// - Throws: ``PinHardenerError/chip(_:)`` with what the store failed with; the call can be repeated.
    public func remove() async throws(PinHardenerError) {
        do {
            try await records.store.erase()
        } catch {
            throw .chip(.store(error))
        }
    }

    func live(_ epoch: HardenedEpoch) async throws(PinHardenerError) -> ChipPinRecord.Epoch {
        try check(epoch.device)
        let record = try await read()
        guard let live = record.live(epoch) else { throw .epochPassed(record.standing) }
        return live
    }

    func update<Result>(
        _ change: (inout ChipPinRecord) -> Result
    ) async throws(PinHardenerError) -> Result {
        do {
            return try await records.update(change)
        } catch {
            throw .chip(error)
        }
    }

    private func read() async throws(PinHardenerError) -> ChipPinRecord {
        do {
            return try await records.read()
        } catch {
            throw .chip(error)
        }
    }

    private func check(_ other: HardenedDevice) throws(PinHardenerError) {
        guard other == device else { throw .elsewhere(other) }
    }
}
