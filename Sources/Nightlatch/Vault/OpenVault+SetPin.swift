public import NightlatchWire

/// Why a vault got no new PIN. It has none still, unless the store failed in the act.
public enum SetPinError: Error, Hashable, Sendable {
    /// The PIN may not be set, for all of these reasons. Ask for another.
    case pinRefused([PinObjection])
    /// The vault has a PIN, which ``Vault/changePin(from:to:)`` changes.
    case hasPin
    /// The policy's ``LockoutPolicy/end`` is ``LockoutEnd/recoveryPhrase``, and nothing else lifts that:
    /// ``Vault/recover(with:newPin:after:code:)``.
    case recoveryPhraseNeeded
    /// The vault could not be used.
    case vault(OpenVaultError)
    /// The vault could not be sealed under the PIN.
    case rekey(RekeyError)
}

extension OpenVault {
    /// Gives a vault that no PIN opens any more a new one: its PIN was removed by a lockout, given up, or destroyed by the relying party, or it was
    /// of the device as it was bound before (``DeviceBinder/bindAgain(_:code:deviceName:)``). The vault stays open, and the count begins anew.
    /// What is there of the old PIN is kept until the new one is written.
    ///
    /// - Parameters:
    ///   - pin: The new PIN, which the policy must allow.
    ///   - credentials: That the person has just proved who they are with their full credentials, biometrics not among them.
    ///   - code: Where the vault has a hardener: an enrolment code, which the relying party gives for the same credentials.
    public func setPin(
        _ pin: borrowing Pin,
        after credentials: FullCredentials,
        code: EnrolmentCode? = nil
    ) async throws(SetPinError) {
        let objections = vault.pinPolicy.objections(to: pin)
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
