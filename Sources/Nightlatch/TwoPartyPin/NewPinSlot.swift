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
        if let candidate { return candidate.pinKey.unwrap(slot, vaultID: vaultID) }
        let pinKey: PinKey
        do {
            pinKey = try await PinKey(
                pin, vaultID: vaultID, epoch: epoch, salt: slot.salt, parameters: slot.parameters,
                in: await slot.parameters.prepare())
        } catch {
            throw .keyDerivation(error)
        }
        return pinKey.unwrap(slot, vaultID: vaultID)
    }
}

/// An epoch that was opened for a new PIN slot, with all that its promotion takes.
struct PinCandidate: Sendable {
    let epoch: HardenedEpoch
    let guess: HardenedGuess
    let pinKey: HardenedPinKey
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
            halved = HalvedPin(try await workspace.stretch(pin, salt: salt.bytes, byteCount: HalvedPin.byteCount))
        } catch {
            throw .keyDerivation(error)
        }
        try await noteSending(of: current)
        let answer: HardenedPin
        do {
            answer = try await hardener.harden(halved.input(for: opened), for: opened, in: nil)
        } catch {
            throw .hardener(error)
        }
        let pinKey = HardenedPinKey(
            halved, hardenedTo: answer.key, vaultID: vaultID, epoch: opened, salt: salt, parameters: parameters)
        let knowledgeKey = KnowledgeKey.random()
        return NewPinSlot(
            slot: pinKey.slot(
                for: vaultKey, knowledgeKey: knowledgeKey, epoch: opened, salt: salt, parameters: parameters),
            candidate: PinCandidate(
                epoch: opened, guess: answer.guess, pinKey: pinKey, knowledgeKey: knowledgeKey, opener: opener))
    }
}
