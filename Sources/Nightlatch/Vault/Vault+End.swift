extension Vault {
    /// Ends a PIN that the user has forgotten. The call has the effect of the last wrong attempt at once, but counts no
    /// attempt.
    ///
    /// The policy's ``LockoutPolicy/end`` decides the outcome: either the PIN is removed and the call returns how to
    /// unblock the vault, or the vault is erased.
    ///
    /// - Throws: ``UnlockError/noVault``, or ``UnlockError/vault(_:)``; after the latter, the PIN may still exist.
    public func giveUpPin() async throws(UnlockError) -> PinRefusal {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let record: VaultRecord?
            do {
                record = try await read()
            } catch {
                throw .vault(error)
            }
            guard let record else { throw .noVault }
            do {
                if let refusal = try await end(record, &retries) { return refusal }
            } catch {
                throw .vault(error)
            }
        }
    }

    /// Applies the effect of the last wrong attempt to `record`.
    ///
    /// - Returns: The refusal to show, or nil if another process wrote first.
    func end(_ record: VaultRecord, _ retries: inout ConflictRetries) async throws(VaultError) -> PinRefusal? {
        var record = record
        record.ledger.chargedAttempt = nil
        record.change = nil
        record.sealed.slots.pin = nil
        switch lockout(of: record).policy.end {
        case .newCredentials: break
        case .recoveryPhrase:
            record.sealed.slots.biometrics = nil
            record.sealed.slots.biometricKey = nil
        case .wipe: return try await wipe(record, &retries) ? .erased : nil
        }
        return try await write(&record, &retries) ? .blocked(unblocking(record)) : nil
    }

    /// Returns the proof that unblocks a vault with a blocked PIN.
    func unblocking(_ record: VaultRecord) -> Unblocking {
        unblocking(lockout(of: record).policy.end, hasPhrase: record.sealed.slots.recovery != nil)
    }

    /// Returns the policy's ``LockoutPolicy/end`` as the user meets it: without a recovery phrase in the vault, a
    /// blocked PIN needs new credentials.
    func effectiveEnd() async throws(VaultError) -> LockoutEnd {
        let end = try await effectiveLockoutPolicy().end
        guard end == .recoveryPhrase else { return end }
        return switch unblocking(end, hasPhrase: try await slots().contains(.recoveryPhrase)) {
        case .recoveryPhrase: .recoveryPhrase
        case .newCredentials: .newCredentials
        }
    }

    private func unblocking(_ end: LockoutEnd, hasPhrase: Bool) -> Unblocking {
        end == .recoveryPhrase && hasPhrase ? .recoveryPhrase : .newCredentials
    }

    /// Whether the policy blocks a slot that exists. Under ``LockoutEnd/recoveryPhrase``, a blocked PIN blocks all
    /// slots except the recovery phrase.
    func isClosed(_ slot: VaultSlot, in record: VaultRecord) -> Bool {
        let policy = lockout(of: record).policy
        let isPinBlocked =
            record.sealed.slots.pin == nil || record.ledger.failures >= policy.limit || record.isUsedUp
        return switch slot {
        case .pin: isPinBlocked
        case .biometrics: isPinBlocked && policy.end == .recoveryPhrase
        case .recoveryPhrase: false
        }
    }

    /// Returns the number of PINs that may be tried, regardless of waits.
    ///
    /// After a wrong last guess at the hardener, the number is zero. In a process that never received the answer to
    /// another guess, it is at most one: that guess may be right and can still be proved.
    func triesLeft(in record: VaultRecord) async -> Int {
        guard let slot = record.sealed.slots.pin else { return 0 }
        let left = lockout(of: record).triesLeft(record.ledger)
        guard record.isUsedUp else { return left }
        return await hasLostAnswer(slot) ? min(1, left) : 0
    }

    func hasLostAnswer(_ slot: PinSlot) async -> Bool {
        guard let hardener, let hardened = slot.hardened else { return false }
        return await hardener.hasLostAnswer(for: hardened.key)
    }

    /// Replaces the vault with a tombstone and removes its biometric keys.
    ///
    /// - Returns: Whether it was erased. If not, another process has written.
    private func wipe(
        _ record: VaultRecord,
        _ retries: inout ConflictRetries
    ) async throws(VaultError) -> Bool {
        guard try await bury(record) else {
            try await note(&retries, replacing: record.revision)
            return false
        }
        await VaultOpenings.ofThisProcess.removed(record.vaultID)
        do {
            try await removeBiometricKeys()
        } catch {
            // The vault is gone, so a remaining key opens nothing. ``erase()`` and the next set-up of biometrics remove
            // it.
        }
        return true
    }
}
