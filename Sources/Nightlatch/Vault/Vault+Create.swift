import NightlatchWire

/// An error that occurs while creating a vault. There is no vault then, unless there was one before or the store failed
/// during the write.
public enum CreateVaultError: Error, Hashable, Sendable {
    /// There is a vault in the store already. It is unchanged.
    case exists
    /// The policy does not allow the PIN, for all of these reasons. Ask for another PIN.
    case pinRefused([PinObjection])
    /// The record could not be written, the PIN could not be stretched, or the chip that hardens it
    /// (``PinHardener/ownDevice``) reported an error.
    ///
    /// If the store finds no vault but refuses to add one because one exists, the code is
    /// ``VaultError/Code/unavailable``, and the cause has ``StoreError/Reason/contradiction(found:)``. The store's data
    /// is unchanged then.
    case vault(VaultError)
}

extension Vault {
    /// Makes an empty vault that `pin` opens, and opens it.
    ///
    /// The vault is durable when this returns. A crash before that leaves no vault, or the complete one.
    public func create(with pin: borrowing Pin) async throws(CreateVaultError) -> OpenVault {
        let objections = self.objections(to: pin)
        guard objections.isEmpty else { throw .pinRefused(objections) }
        let replaced = try await revisionToCreateOver()
        if let hardener, let device = hardener.ownDevice {
            return try await createInChip(with: pin, over: replaced, hardenedBy: hardener, of: device)
        }
        return try await createLocally(with: pin, over: replaced)
    }

    /// Makes a vault with a slot that the PIN alone opens.
    ///
    /// - Parameter isProvisional: Whether an enrolment code opens the slot until the vault gets a PIN.
    func createLocally(
        with pin: borrowing Pin,
        over replaced: UInt64,
        isProvisional: Bool = false
    ) async throws(CreateVaultError) -> OpenVault {
        let vaultID = VaultID.random()
        let vaultKey = VaultKey(vaultID: vaultID)
        var slot: PinSlot
        do {
            slot = try await makePinSlot(
                for: vaultKey, pin: pin, stretchedBy: keyDerivation, epoch: 1, vaultID: vaultID)
        } catch {
            throw .vault(.keyDerivation(error))
        }
        if isProvisional { slot.isProvisional = true }
        let sealed = SealedVault(
            slots: VaultSlots(pin: slot),
            content: vaultKey.vouch(
                for: [:], recipients: .none, epoch: 1, generation: 1, isPinHardened: false))
        var record = VaultRecord(vaultID: vaultID, revision: replaced, ledger: .clear, sealed: sealed)
        let isWritten: Bool
        do {
            isWritten = try await write(&record)
        } catch {
            throw .vault(error)
        }
        guard isWritten else { throw try await conflict(over: replaced) }
        return await .opened(OpenedRecord(record: record, key: vaultKey), of: self, by: .pin)
    }

    /// Returns the revision that the record of a new vault replaces: that of a tombstone, or 0 for none.
    func revisionToCreateOver() async throws(CreateVaultError) -> UInt64 {
        let revision: UInt64?
        do {
            revision = try await find().revisionToCreateOver
        } catch {
            throw .vault(error)
        }
        guard let revision else { throw .exists }
        return revision
    }

    /// Returns the reason why a new vault's record was not written: another process has created a vault, or the store
    /// contradicts itself.
    func conflict(over replaced: UInt64) async throws(CreateVaultError) -> CreateVaultError {
        guard try await revisionToCreateOver() == replaced else { return .exists }
        return .vault(.store(StoreError(.unavailable, reason: .contradiction(found: replaced == 0 ? nil : replaced))))
    }

    /// Makes a slot with a new salt, in which the key that `pin` gives wraps `vaultKey`.
    func makePinSlot(
        for vaultKey: VaultKey,
        pin: borrowing Pin,
        stretchedBy parameters: KeyDerivationParameters,
        epoch: UInt64,
        vaultID: VaultID
    ) async throws(KeyDerivationFailure) -> PinSlot {
        let pinKey = try await PinKey(
            pin, vaultID: vaultID, epoch: epoch, salt: .random(), parameters: parameters, format: vaultKey.format,
            in: await parameters.prepare())
        return PinSlot(pinKey.wrap(vaultKey), stretchedBy: parameters)
    }
}
