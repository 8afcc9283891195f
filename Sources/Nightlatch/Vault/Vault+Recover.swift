import Crypto
public import NightlatchWire

/// An error that occurs while opening a vault with a recovery phrase. The vault is unchanged, unless the store failed
/// during the write.
public enum RecoveryError: Error, Hashable, Sendable {
    /// There is no vault.
    case noVault
    /// No recovery phrase was set up for this vault.
    case notSetUp
    /// The phrase is not this vault's. Nothing is counted, because guessing 128 bits is infeasible.
    case wrongPhrase
    /// The phrase opens the vault, but nothing proves that the vault's owner sealed it. Nothing was changed.
    ///
    /// Either the phrase was set up before its public key was kept secret (`docs/vault-format.md`), or an attacker who
    /// could write the record has replaced the vault with their own. Inform the user. If they want to continue, pass
    /// `acceptingUnauthenticated`, and show them the contents before they trust the vault.
    case unauthenticated
    /// The policy requires the user's full credentials as well, since the PIN is blocked.
    case credentialsNeeded
    /// The policy does not allow the new PIN, for all of these reasons. Ask for another PIN.
    case newPinRefused([PinObjection])
    /// The vault could not be used, or no key could be derived from the phrase. This does not mean that the phrase is
    /// wrong.
    case vault(VaultError)
    /// The phrase is right, but the vault could not be sealed under the new PIN.
    case rekey(VaultError)
    /// There is no such profile, or the registry could not be read or written. The PIN has not changed. Only
    /// ``LocalAuthService`` throws this.
    case registry(RegistryError)
    /// The prompt answered with a box whose PIN was already taken; see ``LocalAuthError/emptyPinBox``. Only
    /// ``LocalAuthService`` throws this.
    case emptyPinBox
}

extension Vault {
    /// Opens the vault with its recovery phrase and sets a new PIN, whatever the state of the old one. Resets the count
    /// of wrong PINs.
    ///
    /// Biometrics no longer open the vault; they can be set up again. Besides the new PIN, only the phrase opens
    /// anything that is written from now on, because nothing else in the record is trusted.
    ///
    /// - Parameters:
    ///   - phrase: The phrase that was set up with ``OpenVault/setUpRecovery(_:)``.
    ///   - newPin: The new PIN, which the policy must allow.
    ///   - credentials: Needed if the PIN is blocked and the policy's ``LockoutPolicy/end`` is not
    ///     ``LockoutEnd/recoveryPhrase``.
    ///   - code: An enrolment code of the relying party, if the vault has a hardener and its device is bound.
    ///   - acceptsUnauthenticated: Whether to continue instead of throwing ``RecoveryError/unauthenticated``. The
    ///     phrase is authenticated from then on.
    public func recover(
        with phrase: borrowing RecoveryPhrase,
        newPin: borrowing Pin,
        after credentials: FullCredentials? = nil,
        code: EnrolmentCode? = nil,
        acceptingUnauthenticated acceptsUnauthenticated: Bool = false
    ) async throws(RecoveryError) -> OpenVault {
        let objections = self.objections(to: newPin)
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
    /// Use it for a vault whose relying party does not know the device any more, for instance because the relying party
    /// was restored from an older backup. Then bind the device again (``DeviceBinder/bindAgain(_:code:deviceName:)``),
    /// and set a new PIN with ``recover(with:newPin:after:code:acceptingUnauthenticated:)``.
    ///
    /// - Parameters:
    ///   - phrase: The phrase that was set up with ``OpenVault/setUpRecovery(_:)``.
    ///   - credentials: Needed if the PIN is blocked and the policy's ``LockoutPolicy/end`` is not
    ///     ``LockoutEnd/recoveryPhrase``.
    ///   - acceptsUnauthenticated: Whether to continue instead of throwing ``RecoveryError/unauthenticated``.
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
            throw .vault(error)
        }
        guard let record else { throw .noVault }
        guard let box = record.sealed.slots.recovery else { throw .notSetUp }
        guard credentials != nil || lockout(of: record).policy.end == .recoveryPhrase || !isClosed(.pin, in: record)
        else {
            throw .credentialsNeeded
        }
        let phraseKeys: RecoveryKeys
        do {
            phraseKeys = try phrase.recoveryKeys()
        } catch {
            throw .vault(.keyDerivation(error))
        }
        let key: VaultKey
        switch open(box, of: record.sealed.content, record.vaultID, with: phraseKeys) {
        case .nothing: throw .wrongPhrase
        case .corrupt: throw .vault(.corrupt)
        case .vaultKey(let found, let isAuthenticated):
            guard isAuthenticated || acceptsUnauthenticated else { throw .unauthenticated }
            key = found
        }
        return (OpenedRecord(record: record, key: key), phraseKeys)
    }

    /// The result of opening a recovery slot with a phrase.
    enum PhraseOpening {
        case nothing
        /// The box opens, but the key in it does not vouch for the content.
        case corrupt
        /// - isAuthenticated: Whether only a holder of the phrase, or of the vault key, can have sealed the box.
        case vaultKey(VaultKey, isAuthenticated: Bool)
    }

    func open(
        _ box: HPKEBox,
        of content: VaultContent,
        _ vaultID: VaultID,
        with phraseKeys: RecoveryKeys
    ) -> PhraseOpening {
        // A box that is sealed to a readable key must not count as authenticated, because anyone can have sealed it.
        let candidates =
            content.sealedFormat == .first
            ? [(phraseKeys.readable, false)] : [(phraseKeys.hidden, true), (phraseKeys.readable, false)]
        for (phraseKey, isAuthenticated) in candidates {
            guard let key = vaultKey(in: box, of: content, vaultID, with: phraseKey) else { continue }
            guard key.vouches(for: content) else { return .corrupt }
            do {
                // The check against the recipients also detects a box that was copied from an older record.
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
            // Key agreement gives an error only for a point that an attacker chose.
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
