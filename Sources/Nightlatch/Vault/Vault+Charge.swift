import NightlatchWire

extension Vault {
    /// Writes down `attempt` as failed, if one may be made now, once `workspace` has what trying the PIN needs. One that is
    /// charged already is not charged again.
    ///
    /// - Returns: The record as written and the PIN slot to try, or nil if someone else wrote first.
    func charge(
        _ attempt: inout UnlockAttempt,
        preparing workspace: inout KeyDerivationWorkspace?,
        _ retries: inout ConflictRetries
    ) async throws(UnlockError) -> (VaultRecord, PinSlot)? {
        var record = try await readExisting()
        guard let slot = attempt.slot(in: record) else { throw .refused(.blocked(unblocking(record))) }
        // Before anything is charged: a planted record must cost nobody an attempt.
        guard keyDerivationBounds.contain(slot.parameters) else { throw .record(.unacceptableKeyDerivation) }
        guard slot.hardened == nil || hardener != nil else { throw .noHardener }
        if record.isUsedUp, !attempt.triesChange { try await askWhetherUsedUp(record, slot) }
        if record.ledger.chargedAttempt == attempt.id {
            do {
                workspace = try await slot.parameters.prepare()
            } catch {
                throw .keyDerivation(error)
            }
            return (record, slot)
        }
        let now = clock.continuousTime()
        switch lockout.decide(record.ledger, now: now) {
        case .blocked:
            throw .refused(.blocked(unblocking(record)))
        case .wait(let time, let rebased):
            if let rebased {
                record.ledger = rebased
                guard try await writeUnlocking(&record, &retries) else { return nil }
            }
            throw .refused(.waiting(time, triesLeft: lockout.triesLeft(record.ledger)))
        case .mayTry:
            // For want of memory nobody loses an attempt either.
            do {
                workspace = try await slot.parameters.prepare()
            } catch {
                throw .notPrepared(error)
            }
            let before = record.ledger
            record.ledger = lockout.charging(attempt.id, to: before, now: now)
            if slot.hardened != nil { record.noteGuess { $0.send() } }
            guard try await writeUnlocking(&record, &retries) else { return nil }
            attempt.charge(before)
            return (record, slot)
        }
    }
}
