import NightlatchWire

/// The parts that a new PIN slot will depend on.
enum PinSlotPlan: Sendable {
    /// The PIN alone.
    case local
    /// The PIN and a new epoch of the vault's hardener.
    case hardened(HardenedDevice, PinEpochOpener)
}

extension Vault {
    /// Chooses the parts that a new PIN slot of an open vault will depend on.
    ///
    /// They are the parts of the current slot, if there is a slot and its device is still the vault's. Otherwise they
    /// are the parts that the app has configured for the vault.
    ///
    /// - Parameter code: An enrolment code as proof of full credentials, if the knowledge key is not available.
    func plan(
        for opened: OpenedRecord,
        code: EnrolmentCode? = nil
    ) async throws(VaultError) -> PinSlotPlan {
        guard let hardener else {
            guard opened.record.sealed.slots.pin?.hardened == nil else { throw .noHardener }
            return .local
        }
        if let slot = opened.record.sealed.slots.pin, try !isOfFormerDevice(slot, in: opened) {
            guard let hardened = slot.hardened else { return .local }
            if let knowledgeKey = opened.knowledgeKey {
                return .hardened(hardened.key.device, PinEpochOpener(key: knowledgeKey))
            }
            // The local tier gives no knowledge key, and a change of PIN needs one.
            if code == nil, let unreached = opened.unreached { throw .hardener(unreached) }
        }
        guard let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: code) else {
            guard try isPinClosed(opened) else { throw .hardener(.codeNeeded) }
            return .local
        }
        return .hardened(device, opener)
    }

    /// Abandons the candidate that the device key has opened and never promoted. No other key may abandon it.
    func abandonCandidate(_ standing: PinStanding, of opened: OpenedRecord) async throws(VaultError) {
        guard let hardener, let candidate = standing.candidate,
            let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: nil)
        else { throw .hardener(.candidateOpen(standing)) }
        do {
            try await hardener.abandon(candidate, of: device, by: opener)
        } catch {
            throw .hardener(error)
        }
    }

    /// Returns the device and its key for opening an epoch.
    ///
    /// The device is the hardener's own, if it has one, or else the one in the vault's binding. Nil if the vault's
    /// device is not bound.
    func deviceOpener(
        of opened: OpenedRecord,
        from hardener: any PinHardener,
        code: EnrolmentCode?
    ) async throws(VaultError) -> (HardenedDevice, PinEpochOpener)? {
        if let device = hardener.ownDevice { return (device, .nobody) }
        let bound = try opened.binding
        let secret: SecretBytes?
        do {
            secret = try VaultSecrets(opened.record.sealed.content.items, sealedUnder: opened.key)
                .secret(named: .deviceKeyPassword)
        } catch {
            throw .corrupt
        }
        guard let binding = bound, let password = secret else { return nil }
        do {
            return (HardenedDevice(binding), try await hardener.opener(for: binding, password: password, code: code))
        } catch {
            throw .hardener(error)
        }
    }
}
