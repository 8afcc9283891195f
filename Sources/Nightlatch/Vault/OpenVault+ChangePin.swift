extension OpenVault {
    /// Changes the PIN of a vault that the old PIN opened. The vault stays open.
    ///
    /// - Precondition: The PIN has opened the vault.
    /// - Parameters:
    ///   - new: The new PIN, which the policy must allow.
    ///   - other: Another opening of the vault, which also gets the new key and stays open. All other openings are
    ///     superseded.
    ///   - policy: The policy for the new PIN; nil for the vault's.
    package func changePin(
        to new: borrowing Pin, keepingOpen other: OpenVault? = nil, under policy: PinPolicy? = nil
    ) async throws(ChangePinError) {
        precondition(slot == .pin, "the PIN must have opened the vault")
        let objections = vault.under(policy ?? vault.pinPolicy).objections(to: new)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
        let opened: OpenedRecord
        do {
            opened = try await current()
        } catch {
            throw .vault(error)
        }
        let going = [opening] + (other.map { [$0.opening] } ?? [])
        for opening in going { opening.hold() }
        defer { for opening in going { opening.release() } }
        let rekeyed: OpenedRecord
        do {
            rekeyed = try await vault.rekey(opened, to: new)
        } catch {
            throw .rekey(error)
        }
        adopt(rekeyed)
        await other?.adopt(rekeyed)
    }
}
