import NightlatchWire

extension Vault {
    /// Moves a vault that the PIN alone opens to the hardener, under the same PIN. What goes wrong leaves a vault that is open, and that
    /// the PIN alone opens; the next unlock tries again.
    func hardening(_ opened: OpenedRecord, with pin: borrowing Pin) async -> OpenedRecord {
        guard let hardener, let slot = opened.record.sealed.slots.pin, slot.hardened == nil else { return opened }
        do {
            if let change = opened.record.change, let hardened = change.slots.pin?.hardened {
                let standing: PinStanding
                do {
                    standing = try await hardener.standing(of: hardened.key.device)
                } catch {
                    return opened
                }
                // The promotion went through and its answer was lost. Nothing else can be made current while the slot is not in place:
                // opening another epoch would take a code.
                if standing.epoch == hardened.key.epoch {
                    return try await finish(change, of: opened, with: pin, at: hardener)
                }
            }
            guard let (device, opener) = try await deviceOpener(of: opened, from: hardener, code: nil) else {
                return opened
            }
            return try await rekey(opened, to: pin, stretchedBy: slot.parameters, by: .hardened(device, opener))
        } catch {
            return opened
        }
    }

    /// Puts a promoted slot in the place of the local one.
    private func finish(
        _ change: SealedVault,
        of opened: OpenedRecord,
        with pin: borrowing Pin,
        at hardener: any PinHardener
    ) async throws -> OpenedRecord {
        guard let slot = change.slots.pin, let hardened = slot.hardened else { return opened }
        let halved = HalvedPin(
            try await slot.parameters.prepare().stretch(pin, salt: slot.salt.bytes, byteCount: HalvedPin.byteCount))
        let answer = try await hardener.harden(
            halved.input(for: hardened.key), for: hardened.key, in: opened.record.guesses?.window)
        let vaultID = opened.record.vaultID
        let pinKey = HardenedPinKey(
            halved, hardenedTo: answer.key, vaultID: vaultID, epoch: hardened.key, salt: slot.salt,
            parameters: slot.parameters)
        guard let key = pinKey.unwrap(slot, vaultID: vaultID), let knowledgeKey = pinKey.knowledgeKey(in: hardened)
        else {
            return opened
        }
        let window = try await hardener.prove(answer.guess, for: hardened.key, by: knowledgeKey)
        while true {
            var record = try await readExisting()
            guard record.change == change, record.sealed.slots.pin == opened.record.sealed.slots.pin else {
                return opened
            }
            record.sealed = try promoted(change, over: record.sealed, by: key)
            record.change = nil
            record.guesses = GuessLedger(window: window)
            if try await writeUnlocking(&record) {
                return OpenedRecord(record: record, key: key, knowledgeKey: knowledgeKey)
            }
        }
    }
}
