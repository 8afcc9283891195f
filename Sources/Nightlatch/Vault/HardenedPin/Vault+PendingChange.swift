import NightlatchWire

// While a change is pending on disk, the hardener may have promoted it. If so, the change is the vault's state,
// although the device does not know this yet.
extension Vault {
    /// Whether the hardener has promoted the pending change in `record` and the device never received the answer.
    func isChangePromoted(_ record: VaultRecord) async throws(VaultError) -> Bool {
        guard let pending = record.change?.slots.pin?.hardened?.key else { return false }
        return try await standing(of: pending.device)?.epoch == pending.epoch
    }

    /// - Returns: Nil if the device is revoked or replaced.
    private func standing(of device: HardenedDevice) async throws(VaultError) -> PinStanding? {
        guard let hardener else { throw .noHardener }
        do {
            return try await hardener.standing(of: device)
        } catch {
            guard !error.endsKeys else { return nil }
            throw .hardener(error)
        }
    }

    /// Makes sure that the hardener has not promoted the pending change in `record` and never will. Call it before
    /// writing another change over it.
    ///
    /// - Parameters:
    ///   - record: The record that is about to be overwritten.
    ///   - new: The slot of the other change. Its epoch, if it has one, is already open.
    ///   - opened: The vault as it was opened.
    /// - Throws: ``VaultError``; then the caller must write nothing. ``VaultError/superseded`` if the change was
    ///   promoted.
    func checkReplaceable(
        _ record: VaultRecord,
        by new: NewPinSlot,
        of opened: OpenedRecord
    ) async throws(VaultError) {
        guard let slot = record.change?.slots.pin, slot != new.slot, let pending = slot.hardened?.key else { return }
        guard let candidate = new.candidate?.epoch else { return try await abandon(pending, of: opened) }
        // A slot of a former device opens nothing. If no PIN opens the vault, dropping the change loses nothing.
        guard pending.device.device == candidate.device.device,
            try !isPinClosed(OpenedRecord(record: record, key: opened.key))
        else { return }
        guard let standing = try await standing(of: pending.device) else { return }
        // If the pending epoch's number belongs to another epoch or was not assigned yet, the hardener has lost its
        // record since the change was made. Then it can never promote the change.
        guard pending.epoch < standing.nextEpoch,
            pending.epoch != candidate.epoch || pending.publicKey == candidate.publicKey
        else { return }
        // Opening the later epoch has abandoned the earlier one. So if the earlier epoch is not current now, it never
        // will be.
        guard pending.epoch < candidate.epoch, standing.epoch != pending.epoch else { throw .superseded }
    }

    /// Abandons a candidate that the device key has opened.
    private func abandon(_ pending: HardenedEpoch, of opened: OpenedRecord) async throws(VaultError) {
        guard let hardener else { throw .noHardener }
        guard let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: nil),
            device.device == pending.device.device
        else { return }
        do {
            try await hardener.abandon(pending.epoch, of: device, by: opener)
        } catch {
            if case .epochPassed(let standing) = error {
                if standing.epoch == pending.epoch { throw .superseded }
                // The candidate was opened before the hardener lost its record.
                if pending.epoch >= standing.nextEpoch { return }
            }
            guard error.endsKeys else { throw .hardener(error) }
        }
    }
}

extension PinHardenerError {
    /// Whether the device is revoked or replaced, which destroys its keys.
    fileprivate var endsKeys: Bool {
        guard case .refused(let refusal) = self else { return false }
        return refusal.code.endsBinding
    }
}
