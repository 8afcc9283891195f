import NightlatchWire

/// What a new PIN slot is to hang on.
enum PinSlotPlan: Sendable {
    /// The PIN alone.
    case local
    /// The PIN and a new epoch of the vault's hardener.
    case hardened(HardenedDevice, PinEpochOpener)
}

extension Vault {
    /// What a new PIN slot of a vault that was opened is to hang on: what the one before does, if there is one and its device is still the
    /// vault's, and otherwise what the app has set the vault up with.
    ///
    /// - Parameter code: Proof of full credentials, where the knowledge key is out of reach.
    func plan(
        for opened: OpenedRecord,
        code: EnrolmentCode? = nil
    ) async throws(RekeyError) -> PinSlotPlan {
        guard let hardener else {
            guard opened.record.sealed.slots.pin?.hardened == nil else { throw .noHardener }
            return .local
        }
        if let slot = opened.record.sealed.slots.pin, try !isOfFormerDevice(slot, in: opened) {
            guard let hardened = slot.hardened else { return .local }
            if let knowledgeKey = opened.knowledgeKey {
                return .hardened(hardened.key.device, PinEpochOpener(key: knowledgeKey))
            }
            // The local tier gives no knowledge key, and another PIN takes it.
            if code == nil, let unreached = opened.unreached { throw .hardener(unreached) }
        }
        guard let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: code) else {
            guard try isPinClosed(opened) else { throw .hardener(.codeNeeded) }
            return .local
        }
        return .hardened(device, opener)
    }

    /// Has the device key abandon the candidate that it has opened and never promoted, since no other key may.
    func abandonCandidate(_ standing: PinStanding, of opened: OpenedRecord) async throws(RekeyError) {
        guard let hardener, let candidate = standing.candidate,
            let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: nil)
        else { throw .hardener(.candidateOpen(standing)) }
        do {
            try await hardener.abandon(candidate, of: device, by: opener)
        } catch {
            throw .hardener(error)
        }
    }

    /// The device that the hardener is for by itself, or else the one that the vault's binding names, and its key; nil for a vault whose
    /// device is not bound.
    func deviceOpener(
        of opened: OpenedRecord,
        from hardener: any PinHardener,
        code: EnrolmentCode?
    ) async throws(RekeyError) -> (HardenedDevice, PinEpochOpener)? {
        if let device = hardener.ownDevice { return (device, .nobody) }
        let bound = try opened.binding
        let secret: SecretBytes?
        do {
            secret = try VaultSecrets(opened.record.sealed.content.items, sealedUnder: opened.key)
                .secret(named: .deviceKeyPassword)
        } catch {
            throw .record(.corrupt)
        }
        guard let binding = bound, let password = secret else { return nil }
        do {
            return (HardenedDevice(binding), try await hardener.opener(for: binding, password: password, code: code))
        } catch {
            throw .hardener(error)
        }
    }
}
