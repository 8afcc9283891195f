public import NightlatchWire

/// Why a PIN was not changed.
public enum ChangePinError: Error, Hashable, Sendable {
    /// The new PIN may not be set, for all of these reasons. The old one was not tried.
    case newPinRefused([PinObjection])
    /// The old PIN did not open the vault.
    case unlock(UnlockError)
    /// The vault that the old PIN has opened is not as it was when the new one was chosen: it has locked by itself, or somebody has
    /// changed it. Begin again.
    case vault(OpenVaultError)
    /// The old PIN is right, but the vault could not be sealed under the new one.
    case rekey(RekeyError)
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
        try checkIsAllowed(new)
        let opened = try await openToChange(with: old)
        do {
            let current = try await takingOverPromoted(opened, with: old)
            return await .opened(try await rekey(current, to: new), of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }

    /// Moves a vault that the PIN alone opens to its relying party, and opens it.
    ///
    /// Copies of the record from before can be searched for `old`: backups, and deleted ones on the same disk. So let the person choose a new
    /// PIN, which no copy tells. The old PIN is an attempt like any other. A crash leaves the vault as it was, or moved; the same call can be
    /// made again.
    ///
    /// - Parameters:
    ///   - old: The PIN that opens the vault.
    ///   - new: The PIN from now on, which the policy must allow. It may be `old`, which the policy is not asked about.
    ///   - code: Proof of full credentials, where the device had a two-party PIN before.
    /// - Throws: ``ChangePinError``; ``RekeyError/noHardener`` where the vault has no hardener or its device is not bound.
    public func moveToTwoPartyPin(
        from old: borrowing Pin,
        to new: borrowing Pin,
        code: EnrolmentCode? = nil
    ) async throws(ChangePinError) -> OpenVault {
        if !old.isEqual(to: new) { try checkIsAllowed(new) }
        let opened = try await openToChange(with: old)
        do throws(RekeyError) {
            let current = try await takingOverPromoted(opened, with: new, orElse: old)
            guard let hardener else { throw .noHardener }
            let moved: OpenedRecord
            if current.record.sealed.slots.pin?.hardened != nil {
                // A call that was cut off has moved it, perhaps under the old PIN.
                moved = try await rekey(current, to: new)
            } else if let (device, opener) = try await deviceOpener(of: current, from: hardener, code: code) {
                moved = try await rekey(current, to: new, resettingCount: true, by: .hardened(device, opener))
            } else {
                throw .noHardener
            }
            return await .opened(moved, of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }

    private func checkIsAllowed(_ new: borrowing Pin) throws(ChangePinError) {
        let objections = pinPolicy.objections(to: new)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
    }

    /// Tries the old PIN, which is an attempt like any other.
    private func openToChange(with old: borrowing Pin) async throws(ChangePinError) -> OpenedRecord {
        do {
            return try await open(with: old)
        } catch {
            throw .unlock(error)
        }
    }

    /// As ``takingOverPromoted(_:with:)``, where what was promoted may be of another PIN.
    private func takingOverPromoted(
        _ opened: OpenedRecord,
        with pin: borrowing Pin,
        orElse other: borrowing Pin
    ) async throws(RekeyError) -> OpenedRecord {
        do {
            return try await takingOverPromoted(opened, with: pin)
        } catch .superseded where !pin.isEqual(to: other) {
            return try await takingOverPromoted(opened, with: other)
        }
    }
}
