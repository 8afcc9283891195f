/// A record, with a key that opens it and vouches for it.
struct OpenedRecord: Sendable {
    var record: VaultRecord
    let key: VaultKey
    /// The key that proves to the hardener that the PIN was right; nil unless a hardened PIN opened the record.
    var knowledgeKey: KnowledgeKey?
    /// The error of the call to the unreachable hardener, if the local tier opened the vault; nil otherwise.
    var unreached: PinHardenerError?
    /// The foreign guesses that the hardener has reported.
    var foreignGuesses: ForeignGuesses?
    /// The error of the unlock, if it had to rekey the vault and could not; otherwise nil.
    var rekeyFailure: VaultError?
    /// Whether the hardener's epoch must change because of foreign guesses.
    var isEpochDue = false
    /// A right guess that could not be proved to the hardener. It is set only if at most one guess is left.
    var unproved: HardenedGuess?

    /// Returns the same record with the foreign guesses and the rekey error of `before`.
    func telling(of before: OpenedRecord) -> OpenedRecord {
        var told = self
        told.foreignGuesses = before.foreignGuesses
        told.rekeyFailure = before.rekeyFailure
        return told
    }

    /// The recipients that the vault key is wrapped for, besides the PIN.
    ///
    /// - Throws: ``VaultError/corrupt``.
    var recipients: VaultRecipients {
        get throws(VaultError) { try key.recipients(in: record.sealed.content) }
    }

    /// Whether the vault key is wrapped for a biometric key whose public half was once readable.
    var hasReadableBiometrics: Bool { biometricRecipient?.wasReadable == true }

    /// Whether a replaced biometric key, whose public half was once readable, may still exist.
    var hasReadablePredecessor: Bool { biometricRecipient?.hasReadablePredecessor == true }

    private var biometricRecipient: BiometricRecipient? {
        do {
            return try recipients.biometrics
        } catch {
            // The caller's next use of the record throws this error.
            return nil
        }
    }

    /// The policy of the relying party that the record keeps, or the error of reading it.
    var policy: Result<KeptPolicy?, PolicyError> {
        VaultSecrets(record.sealed.content.items, sealedUnder: key).policy
    }

    /// Whether the policy lets biometrics open the vault. No policy, and one that cannot be read, demand nothing.
    var permitsBiometrics: Bool {
        guard case .success(let kept?) = policy else { return true }
        return kept.policy.permits(.biometrics)
    }

    /// The tier of the PIN that opened the record.
    var pinTier: PinTier {
        guard knowledgeKey != nil, let device = record.sealed.slots.pin?.hardened?.key.device else { return .local }
        return device.account == nil ? .chip : .hardened
    }
}
