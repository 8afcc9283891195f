import NightlatchWire

/// A PIN slot that was made and is not the vault's yet.
struct NewPinSlot: Sendable {
    let slot: PinSlot
    /// What the hardener is to promote; nil for a slot that the PIN alone opens.
    let candidate: PinCandidate?

    /// What the PIN opens in `slot`, as it was read back: the vault key, or nil if it does not open.
    ///
    /// With a hardener it is opened by the key that is in memory. To ask for it again would be another guess.
    func vaultKey(
        in slot: PinSlot,
        of vaultID: VaultID,
        epoch: UInt64,
        with pin: borrowing Pin
    ) async throws(RekeyError) -> VaultKey? {
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

/// An epoch that was opened for a new PIN slot, with all that its promotion takes.
struct PinCandidate: Sendable {
    let epoch: HardenedEpoch
    let guess: HardenedGuess
    let pinKey: HardenedPinKey
    /// What the PIN gives in the slot's local tier, if it has one.
    let localKey: PinKey?
    let knowledgeKey: KnowledgeKey
    let opener: PinEpochOpener
}

extension Vault {
    /// A new slot, with a new salt, in which what `pin` gives wraps `vaultKey`. With a hardener a new epoch is opened for it.
    func makeSlot(
        for vaultKey: VaultKey,
        pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters,
        of current: OpenedRecord,
        by plan: PinSlotPlan
    ) async throws(RekeyError) -> NewPinSlot {
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
        // In a chip nobody guesses that the device does not know of.
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

    /// What the slot has beside it for `pin` to open while the hardener is out of reach, and the key that opens it; nil unless the app
    /// allows it.
    private func makeLocalTier(
        for vaultKey: VaultKey,
        pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters,
        epoch: UInt64,
        vaultID: VaultID
    ) async throws(RekeyError) -> (tier: LocalTier, key: PinKey)? {
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
