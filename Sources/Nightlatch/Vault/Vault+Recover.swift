import Crypto
public import NightlatchWire

/// Why a recovery phrase did not open a vault. The vault is as it was, unless the store failed in the act.
public enum RecoveryError: Error, Hashable, Sendable {
    /// There is no vault.
    case noVault
    /// No recovery phrase was set up for this vault.
    case notSetUp
    /// The phrase is not this vault's. Nothing is counted: nobody guesses 128 bits.
    case wrongPhrase
    /// The policy wants the person's full credentials as well, since the PIN was locked.
    case credentialsNeeded
    /// The new PIN may not be set, for all of these reasons. Ask for another.
    case newPinRefused([PinObjection])
    /// The phrase could not be made into a key, which says nothing about it.
    case keyDerivation(KeyDerivationFailure)
    /// The record could not be used.
    case record(VaultRecordError)
    /// The phrase is right, but the vault could not be sealed under the new PIN.
    case rekey(RekeyError)
}

extension Vault {
    /// Opens the vault with its recovery phrase and sets a new PIN, whatever became of the old one. The count begins anew.
    ///
    /// Biometrics open the vault no more; they can be set up again. A phrase tells nobody whose vault it opens, so nothing that stands
    /// in the record is trusted with what will be written from now on.
    ///
    /// - Parameters:
    ///   - phrase: The phrase that was set up with ``OpenVault/setUpRecovery(_:)``.
    ///   - newPin: The new PIN, which the policy must allow.
    ///   - credentials: Needed where the PIN is locked and the policy's ``LockoutPolicy/end`` is not
    ///     ``LockoutEnd/recoveryPhrase``.
    ///   - code: Where the vault has a hardener and its device is bound: an enrolment code of the relying party's.
    public func recover(
        with phrase: borrowing RecoveryPhrase,
        newPin: borrowing Pin,
        after credentials: FullCredentials? = nil,
        code: EnrolmentCode? = nil
    ) async throws(RecoveryError) -> OpenVault {
        let objections = pinPolicy.objections(to: newPin)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
        let record: VaultRecord?
        do {
            record = try await read()
        } catch {
            throw .record(error)
        }
        guard let record else { throw .noVault }
        guard let box = record.sealed.slots.recovery else { throw .notSetUp }
        guard credentials != nil || lockout.policy.end == .recoveryPhrase || !isClosed(.pin, in: record) else {
            throw .credentialsNeeded
        }
        let recoveryKey: Curve25519.KeyAgreement.PrivateKey
        do {
            recoveryKey = try phrase.recoveryKey()
        } catch {
            throw .keyDerivation(error)
        }
        guard let key = vaultKey(in: box, of: record.sealed.content, record.vaultID, with: recoveryKey) else {
            throw .wrongPhrase
        }
        guard key.vouches(for: record.sealed.content) else { throw .record(.corrupt) }
        // A box that was taken from an older record opens as well.
        guard record.sealed.content.isSealed(for: recoveryKey) else { throw .wrongPhrase }
        do {
            let opened = try await takingOverPromoted(OpenedRecord(record: record, key: key), with: recoveryKey)
            let rekeyed = try await rekey(
                opened, to: newPin, resettingCount: true, keepingBiometrics: false,
                by: try await plan(for: opened, code: code))
            return await .opened(rekeyed, of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }

    /// What a phrase opens of `content`; nil if nothing. Whether it vouches for the content is not looked at.
    func vaultKey(
        in box: HPKEBox,
        of content: VaultContent,
        _ vaultID: VaultID,
        with phraseKey: Curve25519.KeyAgreement.PrivateKey
    ) -> VaultKey? {
        let info = VaultKey.slotInfo(.recoveryPhrase, vaultID: vaultID, epoch: content.epoch)
        let bytes: SecretBytes?
        do {
            bytes = try box.open(with: phraseKey, suite: HPKEBox.recoverySuite, info: [UInt8](info.bytes))
        } catch {
            // This key agrees with any point but a planted one.
            return nil
        }
        guard let bytes, bytes.byteCount == VaultKey.byteCount else { return nil }
        return VaultKey(bytes, vaultID: vaultID)
    }
}

extension VaultContent {
    /// Whether it is sealed for what the phrase gives.
    func isSealed(for phraseKey: Curve25519.KeyAgreement.PrivateKey) -> Bool {
        recipients.recovery
            == X25519PublicKey(unchecked: Base64URL.encode(phraseKey.publicKey.rawRepresentation))
    }
}
