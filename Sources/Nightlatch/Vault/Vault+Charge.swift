import NightlatchWire

extension Vault {
    /// Records `attempt` as a wrong one before the PIN is tried, if an attempt is allowed now. `workspace` gets the
    /// memory that trying the PIN needs. An attempt that is already charged is not charged again.
    ///
    /// - Returns: The record as written and the PIN slot to try, or nil if another process wrote first.
    func charge(
        _ attempt: inout UnlockAttempt,
        preparing workspace: inout KeyDerivationWorkspace?,
        _ retries: inout ConflictRetries
    ) async throws(UnlockError) -> (VaultRecord, PinSlot)? {
        var record = try await readExisting()
        guard let slot = attempt.slot(in: record) else { throw .refused(.blocked(unblocking(record))) }
        // This comes before the charge: a record that an attacker wrote must not cost the user an attempt.
        guard keyDerivationBounds.contain(slot.parameters) else { throw .vault(.unacceptableKeyDerivation) }
        guard slot.hardened == nil || hardener != nil else { throw .vault(.noHardener) }
        if record.isUsedUp, !attempt.triesChange { try await askWhetherUsedUp(record, slot) }
        if record.ledger.chargedAttempt == attempt.id {
            do {
                workspace = try await slot.parameters.prepare()
            } catch {
                throw .vault(.keyDerivation(error))
            }
            return (record, slot)
        }
        let (now, boot) = (clock.continuousTime(), clock.boot)
        let lockout = self.lockout(of: record)
        switch lockout.decide(record.ledger, now: now, boot: boot) {
        case .blocked:
            throw .refused(.blocked(unblocking(record)))
        case .wait(let time, let rebased):
            if let rebased {
                do {
                    guard try await writeDown(rebased, in: record, &retries) else { return nil }
                } catch {
                    throw .vault(error)
                }
            }
            throw .refused(.waiting(time, triesLeft: lockout.triesLeft(record.ledger)))
        case .mayTry:
            // A lack of memory costs the user no attempt either.
            do {
                workspace = try await slot.parameters.prepare()
            } catch {
                throw .vault(.notPrepared(error))
            }
            let before = record.ledger
            record.ledger = lockout.charging(attempt.id, to: before, now: now, boot: boot)
            if slot.hardened != nil { record.noteGuess { $0.send() } }
            guard try await writeUnlocking(&record, &retries) else { return nil }
            attempt.charge(before)
            return (record, slot)
        }
    }

    /// Records the elapsed part of a wait.
    ///
    /// If the store cannot be written, for example on a full disk, that is not an error. The wait is the same, and the
    /// next call counts it from the same moment. The wait gets longer only if the device restarts before that.
    ///
    /// - Returns: Whether the wait of `ledger` is current. If not, another process wrote first, and the caller reads
    ///   the record again.
    /// - Throws: ``VaultError`` if the store contradicts itself (`StoreError.Reason.contradiction`), or if the
    ///   task was cancelled between two tries.
    func writeDown(
        _ ledger: LockoutLedger,
        in record: VaultRecord,
        _ retries: inout ConflictRetries
    ) async throws(VaultError) -> Bool {
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
