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
        let (now, boot) = (clock.continuousTime(), clock.boot)
        switch lockout.decide(record.ledger, now: now, boot: boot) {
        case .blocked:
            throw .refused(.blocked(unblocking(record)))
        case .wait(let time, let rebased):
            if let rebased {
                do {
                    guard try await writeDown(rebased, in: record, &retries) else { return nil }
                } catch {
                    throw .record(error)
                }
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
            record.ledger = lockout.charging(attempt.id, to: before, now: now, boot: boot)
            if slot.hardened != nil { record.noteGuess { $0.send() } }
            guard try await writeUnlocking(&record, &retries) else { return nil }
            attempt.charge(before)
            return (record, slot)
        }
    }

    /// Writes what has passed of a wait. Where the store cannot be written, as on a full disk, that is no error: the wait is as long
    /// either way, it is counted from the same moment at the next call, and only a restart before that makes it longer.
    ///
    /// - Returns: Whether the wait of `ledger` holds; if not, someone else wrote first, and the caller starts again from reading.
    /// - Throws: ``VaultRecordError`` if the store contradicts itself (`StoreError.Reason.contradiction`), or the task was cancelled between two
    ///   tries.
    func writeDown(
        _ ledger: LockoutLedger,
        in record: VaultRecord,
        _ retries: inout ConflictRetries
    ) async throws(VaultRecordError) -> Bool {
        var written = record
        written.ledger = ledger
        do {
            if try await write(&written) { return true }
        } catch {
            return true
        }
        try await note(&retries, replacing: record.revision)
        return false
    }
}
