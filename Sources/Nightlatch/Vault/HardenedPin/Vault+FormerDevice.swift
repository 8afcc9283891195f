import NightlatchWire

// If the vault's device was bound again, its PIN slot belongs to the former device. No PIN opens that slot, but only
// the sealed part of the record shows it.
extension Vault {
    /// Whether no PIN opens the vault: ``isClosed(_:in:)``, or its PIN slot belongs to a device that the vault's
    /// binding no longer names.
    ///
    /// - Throws: ``VaultError/corrupt`` if the binding cannot be read.
    func isPinClosed(_ opened: OpenedRecord) throws(VaultError) -> Bool {
        if isClosed(.pin, in: opened.record) { return true }
        return try isOfFormerDevice(opened.record.sealed.slots.pin, in: opened)
    }

    /// Whether `slot` depends on a device that the vault's binding no longer names.
    func isOfFormerDevice(_ slot: PinSlot?, in opened: OpenedRecord) throws(VaultError) -> Bool {
        guard let device = slot?.hardened?.key.device, let binding = try opened.binding else { return false }
        return device.isFormer(to: binding)
    }

    /// Whether the hardener has promoted a change that is for another device than the vault's own slot. Only the
    /// hardener of the other device knows this.
    func isPromotedElsewhere(_ record: VaultRecord) async -> Bool {
        guard let device = record.sealed.slots.pin?.hardened?.key.device,
            let changed = record.change?.slots.pin?.hardened?.key.device, changed != device
        else { return false }
        do {
            return try await isChangePromoted(record)
        } catch {
            // The change counts as not promoted, and the next unlock asks again.
            return false
        }
    }
}

extension HardenedDevice {
    /// Whether `binding`, the vault's current one, is not the binding of this hardened device.
    ///
    /// It differs if it is for another device, or with a relying party that signs with another key.
    func isFormer(to binding: DeviceBinding) -> Bool {
        guard let account else { return false }
        let isPinnedToAnotherKey =
            if let old = account.answerKey, let new = binding.answerKey { old != new } else { false }
        return device != binding.device || account.issuer != binding.issuer || account.user != binding.user
            || account.possessionKey != binding.keys.possessionKey || isPinnedToAnotherKey
    }
}

extension OpenedRecord {
    /// The binding in the vault; nil if its device is not bound.
    var binding: DeviceBinding? {
        get throws(VaultError) {
            let state: BindingState?
            do {
                state = try VaultSecrets(record.sealed.content.items, sealedUnder: key).bindingState()
            } catch {
                throw .corrupt
            }
            guard case .bound(let binding) = state else { return nil }
            return binding
        }
    }
}
