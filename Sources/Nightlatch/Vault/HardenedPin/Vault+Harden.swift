import NightlatchWire

extension Vault {
    /// Moves the PIN slot to the hardener if the PIN alone opens the slot. The PIN stays the same.
    ///
    /// After an error, the vault stays open, the PIN alone opens it, and ``OpenedRecord/rekeyFailure`` holds the error.
    /// The next unlock tries again.
    func hardening(_ opened: OpenedRecord, with pin: borrowing Pin) async -> OpenedRecord {
        guard let hardener, let slot = opened.record.sealed.slots.pin, slot.hardened == nil else { return opened }
        var current = opened
        do {
            current = try await takingOverPromoted(opened, with: pin)
            guard current.record.sealed.slots.pin?.hardened == nil,
                let (device, opener) = try await deviceOpener(of: current, from: hardener, code: nil)
            else { return current }
            return try await rekey(current, to: pin, stretchedBy: slot.parameters, by: .hardened(device, opener))
        } catch {
            current.rekeyFailure = error
            return current
        }
    }
}
