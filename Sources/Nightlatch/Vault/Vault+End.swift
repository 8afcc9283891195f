extension Vault {
    /// Gives up a PIN that the person has forgotten: does what the last failure would do, at once and uncounted.
    ///
    /// By the policy's ``LockoutPolicy/end`` the PIN is removed and what unblocks the vault is returned, or the vault is erased.
    ///
    /// - Throws: ``UnlockError/noVault``, or ``UnlockError/record(_:)``; then the PIN may be there still.
    public func giveUpPin() async throws(UnlockError) -> PinRefusal {
        var retries = ConflictRetries()
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            let record: VaultRecord?
            do {
                record = try await read()
            } catch {
                throw .record(error)
            }
            guard let record else { throw .noVault }
            do {
                if let refusal = try await end(record, &retries) { return refusal }
            } catch {
                throw .record(error)
            }
        }
    }

    /// What the last failure does to `record`.
    ///
    /// - Returns: What a screen is to show, or nil if someone else wrote first.
    func end(_ record: VaultRecord, _ retries: inout ConflictRetries) async throws(VaultRecordError) -> PinRefusal? {
        var record = record
        record.ledger.chargedAttempt = nil
        record.change = nil
        record.sealed.slots.pin = nil
        switch lockout.policy.end {
        case .newCredentials: break
        case .recoveryPhrase:
            record.sealed.slots.biometrics = nil
            record.sealed.slots.biometricKey = nil
        case .wipe: return try await wipe(record, &retries) ? .erased : nil
        }
        return try await write(&record, &retries) ? .blocked(unblocking(record)) : nil
    }

    /// What lets a person back into a vault whose PIN is blocked.
    func unblocking(_ record: VaultRecord) -> Unblocking {
        lockout.policy.end == .recoveryPhrase && record.sealed.slots.recovery != nil ? .recoveryPhrase : .newCredentials
    }

    /// Whether the policy keeps a way shut although its slot is there: in a wallet that is locked, all but the phrase.
    func isClosed(_ way: VaultWay, in record: VaultRecord) -> Bool {
        let isPinBlocked =
            record.sealed.slots.pin == nil || record.ledger.failures >= lockout.policy.limit || record.isUsedUp
        return switch way {
        case .pin: isPinBlocked
        case .biometrics: isPinBlocked && lockout.policy.end == .recoveryPhrase
        case .recoveryPhrase: false
        }
    }

    /// How many PINs may be tried, waits left aside. Once the hardener's last guess was a wrong one that is one at the most, for a process that has
    /// lost the answer to another: that one may be right, and can still be proved.
    func triesLeft(in record: VaultRecord) async -> Int {
        guard let slot = record.sealed.slots.pin else { return 0 }
        let left = lockout.triesLeft(record.ledger)
        guard record.isUsedUp else { return left }
        return await hasLostAnswer(slot) ? min(1, left) : 0
    }

    func hasLostAnswer(_ slot: PinSlot) async -> Bool {
        guard let hardener, let hardened = slot.hardened else { return false }
        return await hardener.hasLostAnswer(for: hardened.key)
    }

    /// Replaces the vault by a tombstone and removes the keys of its biometrics.
    ///
    /// - Returns: Whether it was wiped; if not, someone else has written.
    private func wipe(
        _ record: VaultRecord,
        _ retries: inout ConflictRetries
    ) async throws(VaultRecordError) -> Bool {
        guard try await bury(record) else {
            try await note(&retries, replacing: record.revision)
            return false
        }
        await VaultOpenings.ofThisProcess.removed(record.vaultID)
        do {
            try await removeBiometricKeys()
        } catch {
            // The vault is gone: a key that is left opens nothing. ``erase()`` and the next set-up of biometrics remove it.
        }
        return true
    }
}
