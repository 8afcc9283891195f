import NightlatchWire

/// A PIN slot that was made but is not in use yet.
struct NewPinSlot: Sendable {
    let slot: PinSlot
    /// The epoch that the hardener must promote; nil for a slot that the PIN alone opens.
    let candidate: PinCandidate?

    /// Opens `slot`, as it was read back from the store, with `pin`.
    ///
    /// With a hardener, it uses the key in memory, because asking the hardener again would be another guess.
    ///
    /// - Returns: The vault key, or nil if the slot does not open.
    func vaultKey(
        in slot: PinSlot,
        of vaultID: VaultID,
        epoch: UInt64,
        with pin: borrowing Pin
    ) async throws(VaultError) -> VaultKey? {
        if let candidate {
            guard let key = candidate.pinKey.unwrap(slot) else { return nil }
            guard let tier = slot.hardened?.localTier else { return candidate.localKey == nil ? key : nil }
            guard let local = candidate.localKey?.unwrap(tier, vaultID: vaultID),
                local.bytes.isEqual(to: key.bytes)
            else { return nil }
            return key
        }
        let pinKey: PinKey
        do {
            pinKey = try await PinKey(
                pin, vaultID: vaultID, epoch: epoch, salt: slot.salt, parameters: slot.parameters,
                format: .newest, in: await slot.parameters.prepare())
        } catch {
            throw .keyDerivation(error)
        }
        return pinKey.unwrap(slot.tier, vaultID: vaultID)
    }
}

/// An epoch that was opened for a new PIN slot, with everything that its promotion needs.
struct PinCandidate: Sendable {
    let epoch: HardenedEpoch
    let guess: HardenedGuess
    let pinKey: HardenedPinKey
    /// The key that the PIN gives for the slot's local tier, if it has one.
    let localKey: PinKey?
    let knowledgeKey: KnowledgeKey
    let opener: PinEpochOpener
}

extension Vault {
    /// Makes a slot with a new salt, in which the key that `pin` gives wraps `vaultKey`. With a hardener, it opens a
    /// new epoch for the slot.
    func makeSlot(
        for vaultKey: VaultKey,
        pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters,
        of current: OpenedRecord,
        by plan: PinSlotPlan
    ) async throws(VaultError) -> NewPinSlot {
        let vaultID = current.record.vaultID
        guard case .hardened(let device, let opener) = plan else {
            do {
                let slot = try await makePinSlot(
                    for: vaultKey, pin: pin, stretchedBy: parameters,
                    epoch: current.record.sealed.content.epoch + 1, vaultID: vaultID)
                return NewPinSlot(slot: slot, candidate: nil)
            } catch {
                throw .keyDerivation(error)
            }
        }
        guard let hardener else { throw .noHardener }
        let opened: HardenedEpoch
        do {
            opened = try await hardener.open(device, by: opener)
        } catch {
            throw .hardener(error)
        }
        let salt = PinSalt.random()
        let halved: HalvedPin
        do {
            let workspace = try await parameters.prepare()
            halved = try await HalvedPin(stretching: pin, salt: salt, in: workspace)
        } catch {
            throw .keyDerivation(error)
        }
        // A chip answers only this device, so no guess can be foreign, and none needs to be recorded.
        let isCounted = hardener.ownDevice == nil
        if isCounted { try await noteGuess(of: current) { $0.send() } }
        let binding = HardenedSlotBinding(
            vaultID: vaultID, epoch: opened, salt: salt, parameters: parameters, format: vaultKey.format)
        let (pinKey, answer): (HardenedPinKey, HardenedPin)
        do {
            (pinKey, answer) = try await halved.harden(for: binding, by: hardener, in: nil, isRepeated: true)
        } catch {
            if isCounted, error.isDecision { try await noteGuess(of: current) { $0.takeBack() } }
            throw .hardener(error)
        }
        let knowledgeKey = KnowledgeKey.random()
        let slot = pinKey.slot(for: vaultKey, knowledgeKey: knowledgeKey)
        let local = try await makeLocalTier(
            for: vaultKey, pin: pin, stretchedBy: parameters, epoch: current.record.sealed.content.epoch + 1,
            vaultID: vaultID)
        return NewPinSlot(
            slot: slot.withLocalTier(local?.tier),
            candidate: PinCandidate(
                epoch: opened, guess: answer.guess, pinKey: pinKey, localKey: local?.key, knowledgeKey: knowledgeKey,
                opener: opener))
    }

    /// Makes the local tier that `pin` opens while the hardener is unreachable, and the key that opens it; nil unless
    /// the app allows it.
    private func makeLocalTier(
        for vaultKey: VaultKey,
        pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters,
        epoch: UInt64,
        vaultID: VaultID
    ) async throws(VaultError) -> (tier: LocalTier, key: PinKey)? {
        guard offlinePin == .local else { return nil }
        do {
            let key = try await PinKey(
                pin, vaultID: vaultID, epoch: epoch, salt: .random(), parameters: parameters, format: vaultKey.format,
                in: await parameters.prepare())
            return (key.wrap(vaultKey), key)
        } catch {
            throw .keyDerivation(error)
        }
    }
}
