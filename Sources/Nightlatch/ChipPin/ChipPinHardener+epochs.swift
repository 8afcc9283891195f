public import NightlatchWire

extension ChipPinHardener {
    /// Always throws: this hardener serves ``ownDevice``, not a binding.
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

    /// Opens the next epoch as a candidate. Nothing is sealed yet; ``harden(_:for:in:)`` seals a key under its input.
    public func open(
        _ device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        try check(device)
        let name = PinPublicKey(unchecked: Base64URL.encode([2] + randomBytes(count: 48)))
        let number = try await update { record in record.open(name) }
        return HardenedEpoch(device: device, epoch: number, publicKey: name)
    }

    /// Makes the epoch current if it is still a candidate. No count is cleared, because a right PIN clears no count of
    /// a chip.
    ///
    /// The epoch is still a candidate if a crash during the creation of the vault prevented the promotion. The right
    /// PIN shows that the epoch is the vault's.
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

    /// Makes the candidate current and drops the sealed key of the previous epoch, in one write.
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

    /// Drops the sealed key of a candidate.
    public func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        try check(device)
        let (isGone, standing) = try await update { record in (record.abandon(candidate), record.standing) }
        guard isGone else { throw .epochPassed(standing) }
    }

    /// Drops every key. Call it after the vault was erased, or if the record of the keys is damaged
    /// (``PinChipError/corrupt``).
    ///
    /// If the vault was not erased, no PIN opens it any more: open it with another slot, and set a new PIN.
    ///
    /// - Throws: ``PinHardenerError/store(_:)``; the call can be repeated.
    public func remove() async throws(PinHardenerError) {
        do {
            try await records.store.erase()
        } catch {
            throw .store(error)
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
        try await records.update(change)
    }

    private func read() async throws(PinHardenerError) -> ChipPinRecord {
        try await records.read()
    }

    private func check(_ other: HardenedDevice) throws(PinHardenerError) {
        guard other == device else { throw .elsewhere(other) }
    }
}
