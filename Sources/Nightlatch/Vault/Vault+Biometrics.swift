import NightlatchWire

/// An error that occurs while opening a vault by biometrics. Nothing was counted in any case. Ask for the PIN instead.
public enum BiometricUnlockError: Error, Hashable, Sendable {
    /// The same as ``UnlockError/noVault``.
    case noVault
    /// Biometrics are not set up for this vault.
    case notSetUp
    /// The relying party's policy, which the vault keeps, does not allow biometrics. The user was asked before that was
    /// known, because the policy is sealed.
    case notPermitted
    /// A lockout blocks biometrics too.
    case blocked(Unblocking)
    /// Biometrics released no key. After ``BiometricError/enrolmentChanged``, they can be set up again once the PIN has
    /// opened the vault.
    case biometrics(BiometricError)
    /// The record could not be used.
    case vault(VaultError)
}

extension Vault {
    /// Asks the user for biometrics, which release the key that opens the vault.
    ///
    /// This does not count as an attempt, and the count of wrong PINs is unchanged. Nothing is written, with one
    /// exception. In a vault that was upgraded from an older format, this unlock replaces the biometric key: the old
    /// key has just shown that the enrolment is still the same. If the old key cannot be removed, each later unlock
    /// tries again until it is gone.
    ///
    /// If the relying party's policy does not allow biometrics, this throws ``BiometricUnlockError/notPermitted``.
    /// There is an exception: if no PIN opens the vault any more, biometrics still do, so that a new PIN can be set
    /// (``OpenVault/setPin(_:after:code:)``).
    ///
    /// - Parameter reason: The reason for the prompt, in a sentence that the system shows to the user. It must not be
    ///   empty.
    public func unlockWithBiometrics(reason: String) async throws(BiometricUnlockError) -> OpenVault {
        for _ in 0..<2 {
            let (open, due) = try await openWithBiometrics(reason: reason)
            // The PIN may have been changed during the prompt. The opened vault is superseded then, so the user is
            // asked again.
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
        // The PIN was changed during two prompts in a row. There is no third prompt.
        throw .vault(.store(StoreError(.unavailable, reason: .overtaken(times: 2))))
    }

    /// The pending step for the biometric key of a vault that was upgraded from an older format.
    private enum Due {
        /// The vault still uses the old key.
        case replacement
        /// The vault uses another key, and the old key may still exist.
        case removal
    }

    private func openWithBiometrics(
        reason: String
    ) async throws(BiometricUnlockError) -> (open: OpenVault, due: Due?) {
        let record: VaultRecord?
        do {
            record = try await read()
        } catch {
            throw .vault(error)
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
        else { throw .vault(.corrupt) }
        let opened = OpenedRecord(record: record, key: key)
        guard try await permitsBiometrics(opened) else { throw .notPermitted }
        let due: Due? =
            if content.sealedFormat == .newest, opened.hasReadableBiometrics {
                .replacement
            } else {
                opened.hasReadablePredecessor ? .removal : nil
            }
        return (await .opened(opened, of: self, by: .biometrics), due)
    }

    /// Whether biometrics may open the vault under the policy that it keeps. If no PIN opens it, they always may.
    private func permitsBiometrics(_ opened: OpenedRecord) async throws(BiometricUnlockError) -> Bool {
        if opened.permitsBiometrics { return true }
        do {
            if try isPinClosed(opened) { return true }
        } catch {
            throw .vault(error)
        }
        return await isPinSlotLost(opened.record)
    }

    /// Whether the hardener says that the PIN slot opens nothing any more. If it does not answer, the slot counts as
    /// one that opens the vault.
    private func isPinSlotLost(_ record: VaultRecord) async -> Bool {
        guard let hardener, let own = record.sealed.slots.pin?.hardened?.key else { return false }
        do {
            guard let epoch = try await hardener.standing(of: own.device).epoch else { return true }
            return epoch != own.epoch && epoch != record.change?.slots.pin?.hardened?.key.epoch
        } catch {
            return error.endsSlot
        }
    }
}
