import NightlatchWire

/// Why a PIN was not changed. The old PIN opens the vault still, unless the store failed in the very last write: then one of the
/// two does, and only one.
public enum ChangePinError: Error, Hashable, Sendable {
    /// The new PIN may not be set, for all of these reasons. The old one was not tried.
    case newPinRefused([PinObjection])
    /// The old PIN did not open the vault.
    case unlock(UnlockError)
    /// The record could not be used.
    case record(VaultRecordError)
    /// The new PIN could not be stretched.
    case keyDerivation(KeyDerivationFailure)
    /// The PIN was changed or ended by someone else meanwhile, or another change of it has begun.
    case superseded
}

extension Vault {
    /// Changes the PIN from `old` to `new`, and opens the vault.
    ///
    /// The old PIN is an attempt like any other. Then everything is sealed anew, under a new vault key and a new salt, beside
    /// what was there; read back, and opened with the new PIN; and only then it takes the old one's place, in one write. A crash
    /// at any point leaves exactly one PIN that opens the vault, and the same secrets.
    ///
    /// Since the vault key is new, an old copy of the record with the old PIN opens nothing that is written later.
    public func changePin(
        from old: borrowing Pin,
        to new: borrowing Pin
    ) async throws(ChangePinError) -> OpenVault {
        let objections = pinPolicy.objections(to: new)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
        var record: VaultRecord
        let oldKey: VaultKey
        do {
            (record, oldKey) = try await open(with: old)
        } catch {
            throw .unlock(error)
        }
        guard let oldSlot = record.sealed.pinSlot else { throw .superseded }

        let newKey = VaultKey(vaultID: record.vaultID)
        let newSlot: PinSlot
        do {
            newSlot = try await makePinSlot(
                for: newKey, pin: new, epoch: oldSlot.epoch + 1, vaultID: record.vaultID)
        } catch {
            throw .keyDerivation(error)
        }
        while true {
            let change = SealedVault(
                pinSlot: newSlot, content: try reseal(record.sealed.content, from: oldKey, to: newKey))
            record.change = change
            if try await writeOrFail(&record), try await prove(change, opensWith: new) {
                record = try await readUnchanged(oldSlot, vouchedBy: oldKey)
                // Only what was proved is promoted, and only if no secret was set since it was sealed.
                if record.change == change, change.content.generation == record.sealed.content.generation + 1 {
                    record.sealed = change
                    record.change = nil
                    if try await writeOrFail(&record) {
                        return OpenVault(vault: self, key: newKey, epoch: newSlot.epoch)
                    }
                }
            }
            record = try await readUnchanged(oldSlot, vouchedBy: oldKey)
        }
    }

    private func reseal(
        _ content: VaultContent,
        from oldKey: VaultKey,
        to newKey: VaultKey
    ) throws(ChangePinError) -> VaultContent {
        var items: [String: SealedBytes] = [:]
        for (rawName, box) in content.items {
            guard let name = SecretName(rawValue: rawName), let secret = oldKey.open(box, as: name) else {
                throw .record(.corrupt)
            }
            items[rawName] = newKey.seal(secret, as: name)
        }
        return newKey.vouch(for: items, generation: content.generation + 1)
    }

    /// Reads back what was written and opens every part of the change with the new PIN, as the next unlock would.
    ///
    /// - Returns: False if it is not there any more, because someone has opened the vault meanwhile.
    private func prove(_ change: SealedVault, opensWith new: borrowing Pin) async throws(ChangePinError) -> Bool {
        guard let stored = try await readOrFail() else { throw .superseded }
        guard stored.change == change, let slot = change.pinSlot else {
            // Of two changes at once the later one goes on.
            guard stored.change == nil else { throw .superseded }
            return false
        }
        let pinKey: PinKey
        do {
            pinKey = try await PinKey(
                new, vaultID: stored.vaultID, epoch: slot.epoch, salt: slot.salt, parameters: slot.parameters,
                in: slot.parameters.prepare())
        } catch {
            throw .keyDerivation(error)
        }
        guard let key = pinKey.unwrap(slot, vaultID: stored.vaultID), key.vouches(for: change.content),
            change.content.items.allSatisfy({ name, box in
                SecretName(rawValue: name).map { key.open(box, as: $0) != nil } ?? false
            })
        else { throw .record(.corrupt) }
        return true
    }

    /// The record as it stands, if its PIN is still the old one.
    private func readUnchanged(_ slot: PinSlot, vouchedBy key: VaultKey) async throws(ChangePinError) -> VaultRecord {
        guard let record = try await readOrFail(), record.sealed.pinSlot == slot else { throw .superseded }
        guard key.vouches(for: record.sealed.content) else { throw .record(.corrupt) }
        return record
    }

    private func readOrFail() async throws(ChangePinError) -> VaultRecord? {
        do {
            return try await read()
        } catch {
            throw .record(error)
        }
    }

    private func writeOrFail(_ record: inout VaultRecord) async throws(ChangePinError) -> Bool {
        do {
            return try await write(&record)
        } catch {
            throw .record(error)
        }
    }
}
