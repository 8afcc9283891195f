extension OpenVault {
    /// Changes the PIN of a vault that the old one has opened, while the person chose a new one. It stays open.
    ///
    /// - Precondition: The PIN has opened it.
    package func changePin(to new: borrowing Pin) async throws(ChangePinError) {
        precondition(way == .pin, "only a PIN leads to another")
        let objections = vault.pinPolicy.objections(to: new)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
        let opened: OpenedRecord
        do {
            opened = try await current()
        } catch {
            throw .vault(error)
        }
        do {
            adopt(try await vault.rekey(opened, to: new))
        } catch {
            throw .rekey(error)
        }
    }
}
