/// A record, and the key that was found to open and vouch for it.
struct OpenedRecord: Sendable {
    var record: VaultRecord
    let key: VaultKey
    /// What proves to the hardener that the PIN was right; nil unless a hardened PIN opened it.
    var knowledgeKey: KnowledgeKey?
    /// Why the hardener had no part in it: its local tier opened the vault. Nil otherwise.
    var unreached: PinHardenerError?
    /// What other guesses the hardener has told of.
    var foreignGuesses: ForeignGuesses?
    /// Why it was not moved to the hardener, or sealed anew, where that was due.
    var rekeyFailure: RekeyError?
    /// Whether the epoch of the hardener's key is to be changed because of them.
    var isEpochDue = false
    /// The guess that the hardener could not be told of as right, where a candidate's would be the last one or beyond it.
    var unproved: HardenedGuess?

    /// The same, with what is to be told of the unlock before.
    func telling(of before: OpenedRecord) -> OpenedRecord {
        var told = self
        told.foreignGuesses = before.foreignGuesses
        told.rekeyFailure = before.rekeyFailure
        return told
    }

    /// For whom the vault key is wrapped beside the PIN.
    ///
    /// - Throws: ``OpenVaultError/record(_:)`` with ``VaultRecordError/corrupt``.
    var recipients: VaultRecipients {
        get throws(OpenVaultError) {
            do {
                return try key.recipients(in: record.sealed.content)
            } catch {
                throw .record(error)
            }
        }
    }

    /// Whether the vault key is wrapped for a biometric key whose public half was readable once.
    var hasReadableBiometrics: Bool { biometricRecipient?.wasReadable == true }

    /// Whether such a key was replaced, and its removal is not known to have succeeded.
    var hasReadablePredecessor: Bool { biometricRecipient?.hasReadablePredecessor == true }

    private var biometricRecipient: BiometricRecipient? {
        do {
            return try recipients.biometrics
        } catch {
            // Then nothing else can be done with it either, and whatever is tried says so.
            return nil
        }
    }

    /// What a PIN that opened it hung on.
    var pinTier: PinTier {
        guard knowledgeKey != nil, let device = record.sealed.slots.pin?.hardened?.key.device else { return .local }
        return device.account == nil ? .chip : .hardened
    }
}
