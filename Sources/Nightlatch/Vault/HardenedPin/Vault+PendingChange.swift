import NightlatchWire

// A change on disk that the hardener may have promoted is the vault's, or will be.
extension Vault {
    /// Whether the hardener has promoted what is under way in `record`, without this device having heard of it.
    func isChangePromoted(_ record: VaultRecord) async throws(RekeyError) -> Bool {
        guard let pending = record.change?.slots.pin?.hardened?.key else { return false }
        return try await standing(of: pending.device)?.epoch == pending.epoch
    }

    /// - Returns: Nil if the device is barred for good.
    private func standing(of device: HardenedDevice) async throws(RekeyError) -> PinStanding? {
        guard let hardener else { throw .noHardener }
        do {
            return try await hardener.standing(of: device)
        } catch {
            guard !error.endsKeys else { return nil }
            throw .hardener(error)
        }
    }

    /// Before another change is written over the one in `record`: makes sure that the hardener has not promoted that, and never will.
    ///
    /// - Parameters:
    ///   - record: What is about to be written over.
    ///   - new: The slot of the other change. If that has an epoch, it is open by now.
    ///   - opened: The vault as it was opened.
    /// - Throws: ``RekeyError``, and nothing is to be written then; ``RekeyError/superseded`` if it was promoted.
    func checkReplaceable(
        _ record: VaultRecord,
        by new: NewPinSlot,
        of opened: OpenedRecord
    ) async throws(RekeyError) {
        guard let slot = record.change?.slots.pin, slot != new.slot, let pending = slot.hardened?.key else { return }
        guard let candidate = new.candidate?.epoch else { return try await abandon(pending, of: opened) }
        // A slot of a device that this is no longer opens nothing, and to whom no PIN is open nothing is lost.
        guard pending.device.device == candidate.device.device,
            try !isPinClosed(OpenedRecord(record: record, key: opened.key))
        else { return }
        guard let standing = try await standing(of: pending.device) else { return }
        // A number that the hardener has given to another epoch, or to none yet, is one of before it lost its record.
        guard pending.epoch < standing.nextEpoch,
            pending.epoch != candidate.epoch || pending.publicKey == candidate.publicKey
        else { return }
        // The opening of the later one has abandoned the earlier one. So what is not current now never will be.
        guard pending.epoch < candidate.epoch, standing.epoch != pending.epoch else { throw .superseded }
    }

    /// Has a candidate abandoned that the device key has opened.
    private func abandon(_ pending: HardenedEpoch, of opened: OpenedRecord) async throws(RekeyError) {
        guard let hardener else { throw .noHardener }
        guard let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: nil),
            device.device == pending.device.device
        else { return }
        do {
            try await hardener.abandon(pending.epoch, of: device, by: opener)
        } catch {
            if case .epochPassed(let standing) = error {
                if standing.epoch == pending.epoch { throw .superseded }
                // It was opened before the hardener lost its record.
                if pending.epoch >= standing.nextEpoch { return }
            }
            guard error.endsKeys else { throw .hardener(error) }
        }
    }
}

extension PinHardenerError {
    /// Whether the device is barred for good, and its keys destroyed with that.
    fileprivate var endsKeys: Bool {
        guard case .refused(let refusal) = self else { return false }
        return refusal.code.endsBinding
    }
}
