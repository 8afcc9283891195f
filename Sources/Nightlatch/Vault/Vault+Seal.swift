import NightlatchWire

extension Vault {
    /// What is to take the place of `content`, under `newKey`.
    ///
    /// - Parameter phraseKey: After a recovery, the public key of the phrase, for which alone it is sealed beside the PIN. Otherwise nil.
    func makeChange(
        of content: VaultContent,
        from oldKey: VaultKey,
        to newKey: VaultKey,
        _ new: NewPinSlot,
        recoveringWith phraseKey: X25519PublicKey?
    ) throws(RekeyError) -> SealedVault {
        var change: SealedVault
        do {
            var recipients = try oldKey.recipients(in: content)
            if let phraseKey {
                recipients = VaultRecipients(recovery: phraseKey)
            }
            change = try seal(content, from: oldKey, to: newKey, pin: new.slot, for: recipients)
        } catch {
            throw .record(error)
        }
        guard new.candidate != nil else { return change }
        // A hardener decides when it takes the old one's place, so what is written meanwhile under the old key must be within reach.
        let keepsRecipients = phraseKey != nil
        change.predecessor = newKey.sealPredecessor(oldKey, keepingRecipients: keepsRecipients)
        if keepsRecipients { change.keepsRecipients = true }
        return change
    }

    /// Everything in `content` under `newKey`. That the old key vouches for it is checked here, before anything is wrapped.
    ///
    /// - Parameters:
    ///   - recipients: For whom the new key is wrapped.
    ///   - isRekeyDue: Whether somebody may have the new key already who is not to have it.
    func seal(
        _ content: VaultContent,
        from oldKey: VaultKey,
        to newKey: VaultKey,
        pin: PinSlot,
        for recipients: VaultRecipients,
        isRekeyDue: Bool = false
    ) throws(VaultRecordError) -> SealedVault {
        guard oldKey.vouches(for: content) else { throw .corrupt }
        var items: [String: SealedBytes] = [:]
        for (rawName, box) in content.items {
            guard let name = SecretName(rawValue: rawName), let secret = oldKey.open(box, as: name) else {
                throw .corrupt
            }
            items[rawName] = newKey.seal(secret, as: name)
        }
        let content = newKey.vouch(
            for: items, recipients: recipients, epoch: content.epoch + 1, generation: content.generation + 1,
            isPinHardened: pin.hardened != nil, isRekeyDue: isRekeyDue)
        return SealedVault(
            slots: try VaultSlots(wrapping: newKey, for: recipients, epoch: content.epoch, pin: pin), content: content)
    }
}
