import NightlatchWire

extension Vault {
    /// Tries a PIN on the local tier of a slot whose hardener could not be reached: the attempt that was charged for both counts here.
    ///
    /// - Parameters:
    ///   - record: The record as the attempt was charged in it.
    ///   - slot: The slot, which is the vault's there.
    ///   - tier: Its local tier.
    ///   - pin: The PIN.
    ///   - attempt: The attempt.
    ///   - reason: What the hardener's port has thrown. The open vault keeps it, for whatever needs the hardener.
    /// - Returns: Nil if `slot` is no longer the vault's.
    func openOffline(
        _ record: VaultRecord,
        _ slot: PinSlot,
        _ tier: LocalTier,
        with pin: borrowing Pin,
        for attempt: inout UnlockAttempt,
        because reason: PinHardenerError
    ) async throws(UnlockError) -> OpenedRecord? {
        let workspace: KeyDerivationWorkspace
        do {
            workspace = try await slot.parameters.prepare()
        } catch {
            // For want of memory nobody loses an attempt, and without the local tier the hardener is what is missing.
            try await settleUntested(&attempt, reason, slot)
            return nil
        }
        guard var opened = try await open(record, slot, tier, with: pin, in: workspace, for: attempt) else {
            return nil
        }
        opened.unreached = reason
        return opened
    }
}
