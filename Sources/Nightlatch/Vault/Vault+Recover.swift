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
    /// The phrase opens the vault, and nothing shows that it was its owner who sealed it: the phrase was set up before its public key was
    /// kept secret (`docs/vault-format.md`), or somebody who could write the record has put a vault of theirs in its place. Nothing was changed.
    /// Tell the person; if they want to go on, pass `acceptingUnauthenticated`, and show them what is in the vault before they trust it.
    case unauthenticated
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
    /// Biometrics open the vault no more; they can be set up again: nothing that is in the record is trusted with what will be written from
    /// now on, except the phrase.
    ///
    /// - Parameters:
    ///   - phrase: The phrase that was set up with ``OpenVault/setUpRecovery(_:)``.
    ///   - newPin: The new PIN, which the policy must allow.
    ///   - credentials: Needed where the PIN is locked and the policy's ``LockoutPolicy/end`` is not
    ///     ``LockoutEnd/recoveryPhrase``.
    ///   - code: Where the vault has a hardener and its device is bound: an enrolment code of the relying party's.
    ///   - acceptsUnauthenticated: Whether to go on where ``RecoveryError/unauthenticated`` would be thrown. The phrase is authenticated
    ///     from then on.
    public func recover(
        with phrase: borrowing RecoveryPhrase,
        newPin: borrowing Pin,
        after credentials: FullCredentials? = nil,
        code: EnrolmentCode? = nil,
        acceptingUnauthenticated acceptsUnauthenticated: Bool = false
    ) async throws(RecoveryError) -> OpenVault {
        let objections = pinPolicy.objections(to: newPin)
        guard objections.isEmpty else { throw .newPinRefused(objections) }
        let (opened, phraseKeys) = try await open(
            with: phrase, after: credentials, acceptingUnauthenticated: acceptsUnauthenticated)
        do {
            let current = try await takingOverPromoted(opened, with: phraseKeys)
            let rekeyed = try await rekey(
                current, to: newPin, resettingCount: true, recoveringWith: X25519PublicKey(of: phraseKeys.hidden),
                by: try await plan(for: current, code: code))
            return await .opened(rekeyed, of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }

    /// Opens the vault with its recovery phrase and changes nothing.
    ///
    /// It is for a vault whose PIN hangs on a relying party that does not know the device any more, for instance because it was restored from an
    /// older backup: bind the device again in it (``DeviceBinder/bindAgain(_:code:deviceName:)``), and then set a new PIN with
    /// ``recover(with:newPin:after:code:acceptingUnauthenticated:)``.
    ///
    /// - Parameters:
    ///   - phrase: The phrase that was set up with ``OpenVault/setUpRecovery(_:)``.
    ///   - credentials: Needed where the PIN is locked and the policy's ``LockoutPolicy/end`` is not ``LockoutEnd/recoveryPhrase``.
    ///   - acceptsUnauthenticated: Whether to go on where ``RecoveryError/unauthenticated`` would be thrown.
    /// - Throws: ``RecoveryError``.
    public func unlock(
        with phrase: borrowing RecoveryPhrase,
        after credentials: FullCredentials? = nil,
        acceptingUnauthenticated acceptsUnauthenticated: Bool = false
    ) async throws(RecoveryError) -> OpenVault {
        let (opened, _) = try await open(
            with: phrase, after: credentials, acceptingUnauthenticated: acceptsUnauthenticated)
        return await .opened(opened, of: self, by: .recoveryPhrase)
    }

    private func open(
        with phrase: borrowing RecoveryPhrase,
        after credentials: FullCredentials?,
        acceptingUnauthenticated acceptsUnauthenticated: Bool
    ) async throws(RecoveryError) -> (OpenedRecord, RecoveryKeys) {
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
        let phraseKeys: RecoveryKeys
        do {
            phraseKeys = try phrase.recoveryKeys()
        } catch {
            throw .keyDerivation(error)
        }
        let key: VaultKey
        switch open(box, of: record.sealed.content, record.vaultID, with: phraseKeys) {
        case .nothing: throw .wrongPhrase
        case .corrupt: throw .record(.corrupt)
        case .vaultKey(let found, let isAuthenticated):
            guard isAuthenticated || acceptsUnauthenticated else { throw .unauthenticated }
            key = found
        }
        return (OpenedRecord(record: record, key: key), phraseKeys)
    }

    /// What a phrase opens in a recovery slot.
    enum PhraseOpening {
        case nothing
        /// The box opens, and what is in it does not vouch for the content.
        case corrupt
        /// - isAuthenticated: Whether only who knew the phrase, or has had the vault key, can have sealed it.
        case vaultKey(VaultKey, isAuthenticated: Bool)
    }

    func open(
        _ box: HPKEBox,
        of content: VaultContent,
        _ vaultID: VaultID,
        with phraseKeys: RecoveryKeys
    ) -> PhraseOpening {
        // What is readable authenticates nobody, so a readable key is not asked for more than it is.
        let candidates =
            content.sealedFormat == .first
            ? [(phraseKeys.readable, false)] : [(phraseKeys.hidden, true), (phraseKeys.readable, false)]
        for (phraseKey, isAuthenticated) in candidates {
            guard let key = vaultKey(in: box, of: content, vaultID, with: phraseKey) else { continue }
            guard key.vouches(for: content) else { return .corrupt }
            do {
                // A box that was taken from an older record opens as well.
                guard try key.recipients(in: content).recovery == X25519PublicKey(of: phraseKey) else {
                    return .nothing
                }
            } catch {
                return .corrupt
            }
            return .vaultKey(key, isAuthenticated: isAuthenticated)
        }
        return .nothing
    }

    private func vaultKey(
        in box: HPKEBox,
        of content: VaultContent,
        _ vaultID: VaultID,
        with phraseKey: Curve25519.KeyAgreement.PrivateKey
    ) -> VaultKey? {
        let info = VaultKey.slotInfo(
            .recoveryPhrase, vaultID: vaultID, epoch: content.epoch, format: content.sealedFormat)
        let bytes: SecretBytes?
        do {
            bytes = try box.open(with: phraseKey, suite: HPKEBox.recoverySuite, info: [UInt8](info.bytes))
        } catch {
            // This key agrees with any point but a planted one.
            return nil
        }
        guard let bytes else { return nil }
        return VaultKey(bytes, vaultID: vaultID, format: content.sealedFormat)
    }
}

extension X25519PublicKey {
    init(of key: Curve25519.KeyAgreement.PrivateKey) {
        self.init(unchecked: Base64URL.encode(key.publicKey.rawRepresentation))
    }
}
