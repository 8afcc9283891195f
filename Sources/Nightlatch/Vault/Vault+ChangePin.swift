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
        let objections = pinPolicy.objections(to: new)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
        let opened: OpenedRecord
        do {
            opened = try await open(with: old)
        } catch {
            throw .unlock(error)
        }
        do {
            let current = try await takingOverPromoted(opened, with: old)
            return await .opened(try await rekey(current, to: new), of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }
}
