import NightlatchWire

extension Vault {
    /// Tries a PIN on the local tier of a slot with an unreachable hardener. The attempt is already charged, and this
    /// records its outcome.
    ///
    /// - Parameters:
    ///   - record: The record in which the attempt was charged.
    ///   - slot: The PIN slot in `record`.
    ///   - tier: The slot's local tier.
    ///   - pin: The PIN.
    ///   - attempt: The attempt.
    ///   - reason: The error of the hardener's port. The open vault keeps it for operations that need the hardener.
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
            // A lack of memory costs the user no attempt. Without the local tier, the error to report is the
            // hardener's.
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
