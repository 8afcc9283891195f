import NightlatchWire

/// Why a vault was not made. There is none then, unless it was there before or the store failed in the act.
public enum CreateVaultError: Error, Hashable, Sendable {
    /// There is a vault in the store already. It was not touched.
    case exists
    /// The PIN may not be set, for all of these reasons. Ask for another.
    case pinRefused([PinObjection])
    /// The record could not be written.
    case record(VaultRecordError)
    /// The PIN could not be stretched.
    case keyDerivation(KeyDerivationFailure)
    /// The chip that is to have a part in the PIN had none (``PinHardener/ownDevice``).
    case hardener(PinHardenerError)
}

extension Vault {
    /// Makes an empty vault that `pin` opens, and opens it.
    ///
    /// It is durable when this returns. A crash on the way leaves no vault, or the whole one.
    public func create(with pin: borrowing Pin) async throws(CreateVaultError) -> OpenVault {
        let objections = pinPolicy.objections(to: pin)
        guard objections.isEmpty else { throw .pinRefused(objections) }
        let existing: VaultRecord?
        do {
            existing = try await read()
        } catch {
            throw .record(error)
        }
        guard existing == nil else { throw .exists }
        if let hardener, let device = hardener.ownDevice {
            return try await createInChip(with: pin, hardenedBy: hardener, of: device)
        }
        let vaultID = VaultID.random()
        let vaultKey = VaultKey(vaultID: vaultID)
        let slot: PinSlot
        do {
            slot = try await makePinSlot(
                for: vaultKey, pin: pin, stretchedBy: keyDerivation, epoch: 1, vaultID: vaultID)
        } catch {
            throw .keyDerivation(error)
        }
        let sealed = SealedVault(
            slots: VaultSlots(pin: slot),
            content: vaultKey.vouch(for: [:], recipients: .none, epoch: 1, generation: 1))
        var record = VaultRecord(vaultID: vaultID, revision: 0, ledger: .clear, sealed: sealed)
        let isWritten: Bool
        do {
            isWritten = try await write(&record)
        } catch {
            throw .record(error)
        }
        guard isWritten else { throw .exists }
        return await .opened(OpenedRecord(record: record, key: vaultKey), of: self, by: .pin)
    }

    /// A new slot, with a new salt, in which what `pin` gives wraps `vaultKey`.
    func makePinSlot(
        for vaultKey: VaultKey,
        pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters,
        epoch: UInt64,
        vaultID: VaultID
    ) async throws(KeyDerivationFailure) -> PinSlot {
        let salt = PinSalt.random()
        let pinKey = try await PinKey(
            pin, vaultID: vaultID, epoch: epoch, salt: salt, parameters: parameters, in: await parameters.prepare())
        return PinSlot(salt: salt, parameters: parameters, box: pinKey.wrap(vaultKey))
    }
}
