import NightlatchWire

/// Why a recovery phrase was not set up. The vault is as it was, unless the store failed in the act.
public enum RecoverySetupError: Error, Hashable, Sendable {
    /// Biometrics opened the vault, and a way in that is for good takes more: unlock it with the PIN.
    case pinNeeded
    /// The phrase could not be made into a key.
    case keyDerivation(KeyDerivationFailure)
    /// The vault could not be used.
    case vault(OpenVaultError)
}

extension OpenVault {
    /// Lets `phrase` open the vault. A phrase that was set up before does so no more: this vault refuses it at once, and from the next
    /// unlock by PIN on, which seals everything anew, it is of no use to who has a copy of the record either.
    ///
    /// The phrase itself is not kept, only the public key that it gives: show it to the person first, and have it repeated.
    ///
    /// - Throws: ``RecoverySetupError``; ``RecoverySetupError/pinNeeded`` for a vault that biometrics opened.
    public func setUpRecovery(_ phrase: borrowing RecoveryPhrase) async throws(RecoverySetupError) {
        guard way != .biometrics else { throw .pinNeeded }
        let keys: RecoveryKeys
        do {
            keys = try phrase.recoveryKeys()
        } catch {
            throw .keyDerivation(error)
        }
        do {
            try await setRecovery(keys)
        } catch {
            throw .vault(error)
        }
    }

    /// Lets no phrase open the vault any more, as ``setUpRecovery(_:)`` does with one that was set up before.
    ///
    /// - Throws: ``RecoverySetupError``; ``RecoverySetupError/pinNeeded`` for a vault that biometrics opened.
    public func removeRecovery() async throws(RecoverySetupError) {
        guard way != .biometrics else { throw .pinNeeded }
        do {
            try await setRecovery(nil)
        } catch {
            throw .vault(error)
        }
    }

    /// Whether the phrase was set up by a version of this package that kept its public key readable: then nothing shows, at a recovery, that
    /// it was the vault's owner who sealed it (``RecoveryError/unauthenticated``). Ask the person for the phrase, and set it up again.
    public func isRecoveryUnauthenticated() async throws(OpenVaultError) -> Bool {
        let opened = try await current()
        let recipients = try opened.recipients
        return recipients.recovery != nil && recipients.wasRecoveryReadable == true
    }

    /// - Parameter phraseKeys: What the phrase gives; nil for none.
    private func setRecovery(_ phraseKeys: RecoveryKeys?) async throws(OpenVaultError) {
        var retries = ConflictRetries()
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            let opened = try await current()
            // Where it would be readable the other key stays out of it, so that what is sealed to that is the owner's for sure.
            let key = opened.key.format == .first ? phraseKeys?.readable : phraseKeys?.hidden
            let publicKey = key.map { X25519PublicKey(of: $0) }
            var recipients = try opened.recipients
            guard recipients.recovery != publicKey else { return }
            // Who has a copy of the record and the phrase that goes has the vault key.
            let isRekeyDue = recipients.recovery != nil
            recipients.recovery = publicKey
            recipients.wasRecoveryReadable = nil
            if try await replace(opened, wrappingFor: recipients, isRekeyDue: isRekeyDue, retrying: &retries) {
                return
            }
        }
    }

    /// Writes the slots of `recipients` and vouches for them.
    func replace(
        _ opened: OpenedRecord,
        wrappingFor recipients: VaultRecipients,
        isRekeyDue: Bool = false,
        retrying retries: inout ConflictRetries
    ) async throws(OpenVaultError) -> Bool {
        let slots: VaultSlots
        do {
            slots = try VaultSlots(
                wrapping: opened.key, for: recipients, epoch: opened.record.sealed.content.epoch,
                pin: opened.record.sealed.slots.pin)
        } catch {
            throw .record(error)
        }
        return try await replace(
            opened, recipients: recipients, slots: slots, isRekeyDue: isRekeyDue, retrying: &retries)
    }
}
