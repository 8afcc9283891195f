import NightlatchWire

/// An error that occurs while setting up or removing a recovery phrase. The vault is unchanged, unless the store failed
/// during the write.
public enum RecoverySetupError: Error, Hashable, Sendable {
    /// Biometrics opened the vault, which is not enough to change the recovery phrase. Unlock the vault with the PIN.
    case pinNeeded
    /// The vault could not be used, or the phrase could not be made into a key.
    case vault(VaultError)
}

extension OpenVault {
    /// Lets `phrase` open the vault, and removes an earlier phrase.
    ///
    /// The vault refuses the earlier phrase at once. The next unlock by PIN seals everything again; from then on, the
    /// earlier phrase does not open a copy of the record either.
    ///
    /// The phrase itself is not stored, only the public key derived from it. Show the phrase to the user first, and ask
    /// them to repeat it.
    ///
    /// - Throws: ``RecoverySetupError``; ``RecoverySetupError/pinNeeded`` for a vault that biometrics opened.
    public func setUpRecovery(_ phrase: borrowing RecoveryPhrase) async throws(RecoverySetupError) {
        guard slot != .biometrics else { throw .pinNeeded }
        let keys: RecoveryKeys
        do {
            keys = try phrase.recoveryKeys()
        } catch {
            throw .vault(.keyDerivation(error))
        }
        do {
            try await setRecovery(keys)
        } catch {
            throw .vault(error)
        }
    }

    /// Removes the recovery phrase, so that no phrase opens the vault.
    ///
    /// The vault refuses the phrase at once, and the next unlock by PIN seals everything again, as after
    /// ``setUpRecovery(_:)``.
    ///
    /// - Throws: ``RecoverySetupError``; ``RecoverySetupError/pinNeeded`` for a vault that biometrics opened.
    public func removeRecovery() async throws(RecoverySetupError) {
        guard slot != .biometrics else { throw .pinNeeded }
        do {
            try await setRecovery(nil)
        } catch {
            throw .vault(error)
        }
    }

    /// Returns whether the phrase was set up by a version of this package that kept its public key readable.
    ///
    /// If so, a recovery cannot show that the vault's owner sealed the vault (``RecoveryError/unauthenticated``). Ask
    /// the user for the phrase, and set it up again.
    public func isRecoveryUnauthenticated() async throws(VaultError) -> Bool {
        let opened = try await current()
        let recipients = try opened.recipients
        return recipients.recovery != nil && recipients.wasRecoveryReadable == true
    }

    /// - Parameter phraseKeys: The keys that the phrase gives; nil for no phrase.
    private func setRecovery(_ phraseKeys: RecoveryKeys?) async throws(VaultError) {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let opened = try await current()
            // Content of the first format would make the public key readable. The hidden key is never used there, so
            // only the vault's owner can have sealed to it.
            let key = opened.key.format == .first ? phraseKeys?.readable : phraseKeys?.hidden
            let publicKey = key.map { X25519PublicKey(of: $0) }
            var recipients = try opened.recipients
            guard recipients.recovery != publicKey else { return }
            // The removed phrase and a copy of the record together give the vault key.
            let isRekeyDue = recipients.recovery != nil
            recipients.recovery = publicKey
            recipients.wasRecoveryReadable = nil
            if try await replace(opened, wrappingFor: recipients, isRekeyDue: isRekeyDue, retrying: &retries) {
                return
            }
        }
    }

    /// Wraps the vault key for `recipients`, vouches for them, and writes the record.
    func replace(
        _ opened: OpenedRecord,
        wrappingFor recipients: VaultRecipients,
        isRekeyDue: Bool = false,
        retrying retries: inout ConflictRetries
    ) async throws(VaultError) -> Bool {
        let slots = try VaultSlots(
            wrapping: opened.key, for: recipients, epoch: opened.record.sealed.content.epoch,
            pin: opened.record.sealed.slots.pin)
        return try await replace(
            opened, recipients: recipients, slots: slots, isRekeyDue: isRekeyDue, retrying: &retries)
    }
}
