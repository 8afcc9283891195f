import NightlatchWire

// A vault whose device was bound again has a PIN slot of the device that it was before: no PIN opens that, and nothing in the clear says so.
extension Vault {
    /// Whether no PIN opens the vault: ``isClosed(_:in:)``, or its PIN slot is of a device that the vault's binding no longer names.
    ///
    /// - Throws: ``RekeyError/record(_:)`` with ``VaultRecordError/corrupt`` if the binding cannot be read.
    func isPinClosed(_ opened: OpenedRecord) throws(RekeyError) -> Bool {
        if isClosed(.pin, in: opened.record) { return true }
        return try isOfFormerDevice(opened.record.sealed.slots.pin, in: opened)
    }

    /// Whether `slot` hangs on a device that the vault's binding no longer names.
    func isOfFormerDevice(_ slot: PinSlot?, in opened: OpenedRecord) throws(RekeyError) -> Bool {
        guard let device = slot?.hardened?.key.device, let binding = try opened.binding else { return false }
        return device.isFormer(to: binding)
    }

    /// Whether a change for another device than that of the vault's own slot was promoted: only the hardener of the other one can say so.
    func isPromotedElsewhere(_ record: VaultRecord) async -> Bool {
        guard let device = record.sealed.slots.pin?.hardened?.key.device,
            let changed = record.change?.slots.pin?.hardened?.key.device, changed != device
        else { return false }
        do {
            return try await isChangePromoted(record)
        } catch {
            // Then it counts as not promoted, and the next unlock asks again.
            return false
        }
    }
}

extension HardenedDevice {
    /// Whether `binding`, which the vault has now, is another than the one that this device was hardened by: of another device, or with a
    /// relying party that signs by another key.
    func isFormer(to binding: DeviceBinding) -> Bool {
        guard let account else { return false }
        let isPinnedToAnotherKey =
            if let old = account.answerKey, let new = binding.answerKey { old != new } else { false }
        return device != binding.device || account.issuer != binding.issuer || account.user != binding.user
            || account.possessionKey != binding.keys.possessionKey || isPinnedToAnotherKey
    }
}

extension OpenedRecord {
    /// The binding that the vault holds; nil if its device is not bound.
    var binding: DeviceBinding? {
        get throws(RekeyError) {
            let state: BindingState?
            do {
                state = try VaultSecrets(record.sealed.content.items, sealedUnder: key).bindingState()
            } catch {
                throw .record(.corrupt)
            }
            guard case .bound(let binding) = state else { return nil }
            return binding
        }
    }
}
