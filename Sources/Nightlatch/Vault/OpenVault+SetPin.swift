public import NightlatchWire

/// An error that occurs while setting a new PIN. The vault still has no PIN, unless the store failed during the write.
public enum SetPinError: Error, Hashable, Sendable {
    /// The policy does not allow the PIN, for all of these reasons. Ask for another PIN.
    case pinRefused([PinObjection])
    /// The vault has a PIN already. Change it with ``Vault/changePin(from:to:)``.
    case hasPin
    /// The policy's ``LockoutPolicy/end`` is ``LockoutEnd/recoveryPhrase``. Only the recovery phrase lifts the lockout:
    /// ``Vault/recover(with:newPin:after:code:acceptingUnauthenticated:)``.
    case recoveryPhraseNeeded
    /// The vault could not be used.
    case vault(VaultError)
    /// The vault could not be sealed under the PIN.
    case rekey(VaultError)
    /// There is no such profile, or the registry could not be read or written. The PIN has not changed. Only
    /// ``LocalAuthService`` throws this.
    case registry(RegistryError)
    /// The prompt answered with a box whose PIN was already taken; see ``LocalAuthError/emptyPinBox``. Only
    /// ``LocalAuthService`` throws this.
    case emptyPinBox
}

extension OpenVault {
    /// Sets a new PIN in a vault that no PIN opens any more.
    ///
    /// Use it after a lockout has removed the old PIN, the user has given it up, the relying party has destroyed it, or
    /// the device was bound again (``DeviceBinder/bindAgain(_:code:deviceName:)``). The vault stays open, and the count
    /// of wrong PINs is reset. The old PIN is unknown here, so the new one may equal it. If the old PIN's slot still
    /// exists, it is kept until the new one is written.
    ///
    /// - Parameters:
    ///   - pin: The new PIN, which the policy must allow.
    ///   - credentials: The statement that the user has just proved their identity with full credentials. Biometrics
    ///     are not enough.
    ///   - code: An enrolment code, if the vault has a hardener. The relying party issues it for the same credentials.
    public func setPin(
        _ pin: borrowing Pin,
        after credentials: FullCredentials,
        code: EnrolmentCode? = nil
    ) async throws(SetPinError) {
        try await setPin(pin, after: credentials, code: code, under: vault.pinPolicy)
    }

    /// Does the same under another policy for new PINs.
    func setPin(
        _ pin: borrowing Pin,
        after credentials: FullCredentials,
        code: EnrolmentCode?,
        under policy: PinPolicy
    ) async throws(SetPinError) {
        let objections = vault.under(policy).objections(to: pin)
        guard objections.isEmpty else { throw .pinRefused(objections) }
        let isPinClosed: Bool
        let opened: OpenedRecord
        do {
            opened = try await current()
        } catch {
            throw .vault(error)
        }
        do {
            isPinClosed = try vault.isPinClosed(opened)
        } catch {
            throw .rekey(error)
        }
        guard isPinClosed else { throw .hasPin }
        guard vault.unblocking(opened.record) == .newCredentials else { throw .recoveryPhraseNeeded }
        opening.hold()
        defer { opening.release() }
        do {
            adopt(
                try await vault.rekey(
                    opened, to: pin, resettingCount: true, by: try await vault.plan(for: opened, code: code)))
        } catch {
            throw .rekey(error)
        }
    }
}
