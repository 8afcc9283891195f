/// Why biometrics did not open a vault. Nothing was counted in any case; the PIN is the way on.
public enum BiometricUnlockError: Error, Hashable, Sendable {
    /// As ``UnlockError/noVault``.
    case noVault
    /// Biometrics are not set up for this vault.
    case notSetUp
    /// A lockout keeps biometrics out too.
    case blocked(Unblocking)
    /// Biometrics released no key. ``BiometricError/enrolmentChanged`` means that they can be set up again after the PIN.
    case biometrics(BiometricError)
    /// The record could not be used.
    case record(VaultRecordError)
}

extension Vault {
    /// Asks the person for biometrics, which release the key that opens the vault.
    ///
    /// It counts as no attempt, and leaves the count of failed PINs as it is. Nothing is written, save for a vault that came from an older
    /// format: its biometric key is replaced, since that is when the key has just shown that the enrolment is still the same. Where the old key
    /// cannot be removed, each unlock tries again until it is gone.
    ///
    /// - Parameter reason: Why, in a sentence that the system shows to the person; not empty.
    public func unlockWithBiometrics(reason: String) async throws(BiometricUnlockError) -> OpenVault {
        for _ in 0..<2 {
            let (open, due) = try await openWithBiometrics(reason: reason)
            // The person may have taken their time, and the PIN was changed. What they opened is the vault no more, so they are asked again.
            await open.endIfSuperseded()
            guard open.opening.end == .superseded else {
                switch due {
                case .replacement: await open.replaceReadableBiometrics()
                case .removal: await open.removeReadablePredecessor()
                case nil: break
                }
                return open
            }
        }
        // Changed during two prompts in a row: no third one.
        throw .record(.store(StoreError(.unavailable, reason: .overtaken(times: 2))))
    }

    /// What is to be done about the biometric key of a vault that came from an older format.
    private enum Due {
        /// The vault still has the key of then.
        case replacement
        /// It has another one, and the key of then may still be there.
        case removal
    }

    private func openWithBiometrics(
        reason: String
    ) async throws(BiometricUnlockError) -> (open: OpenVault, due: Due?) {
        let record: VaultRecord?
        do {
            record = try await read()
        } catch {
            throw .record(error)
        }
        guard let record else { throw .noVault }
        guard !isClosed(.biometrics, in: record) else { throw .blocked(unblocking(record)) }
        let content = record.sealed.content
        guard let keyring = biometrics, let box = record.sealed.slots.biometrics,
            let keyID = record.sealed.slots.biometricKey ?? content.readableRecipients?.biometrics?.key
        else { throw .notSetUp }
        let info = VaultKey.slotInfo(
            .biometrics, vaultID: record.vaultID, epoch: content.epoch, format: content.sealedFormat)
        let bytes: SecretBytes
        do {
            bytes = try await keyring.ask(box, with: keyID, info: [UInt8](info.bytes), reason: reason)
        } catch {
            throw .biometrics(error)
        }
        guard let key = VaultKey(bytes, vaultID: record.vaultID, format: content.sealedFormat),
            key.vouches(for: content)
        else { throw .record(.corrupt) }
        let opened = OpenedRecord(record: record, key: key)
        let due: Due? =
            if content.sealedFormat == .newest, opened.hasReadableBiometrics {
                .replacement
            } else {
                opened.hasReadablePredecessor ? .removal : nil
            }
        return (await .opened(opened, of: self, by: .biometrics), due)
    }
}
