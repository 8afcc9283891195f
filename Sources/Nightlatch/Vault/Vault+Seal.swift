import NightlatchWire

extension Vault {
    /// Returns the state that will replace `content`, sealed under `newKey`.
    ///
    /// - Parameter phraseKey: After a recovery, the public key of the phrase. The state is then sealed only for the PIN
    ///   and for this key. Otherwise nil.
    func makeChange(
        of content: VaultContent,
        from oldKey: VaultKey,
        to newKey: VaultKey,
        _ new: NewPinSlot,
        recoveringWith phraseKey: X25519PublicKey?
    ) throws(VaultError) -> SealedVault {
        var recipients = try oldKey.recipients(in: content)
        if let phraseKey { recipients = VaultRecipients(recovery: phraseKey) }
        var change = try seal(content, from: oldKey, to: newKey, pin: new.slot, for: recipients)
        guard new.candidate != nil else { return change }
        // The hardener decides when the change takes effect. Data that is written under the old key until then must
        // stay readable.
        let keepsRecipients = phraseKey != nil
        change.predecessor = newKey.sealPredecessor(oldKey, keepingRecipients: keepsRecipients)
        if keepsRecipients { change.keepsRecipients = true }
        return change
    }

    /// Seals everything in `content` under `newKey`. It checks first that the old key vouches for the content.
    ///
    /// - Parameters:
    ///   - recipients: The recipients that the new key is wrapped for.
    ///   - isRekeyDue: Whether a party that must not have the new key may have it already.
    func seal(
        _ content: VaultContent,
        from oldKey: VaultKey,
        to newKey: VaultKey,
        pin: PinSlot,
        for recipients: VaultRecipients,
        isRekeyDue: Bool = false
    ) throws(VaultError) -> SealedVault {
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
