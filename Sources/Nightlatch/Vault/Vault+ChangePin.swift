public import NightlatchWire

/// An error that occurs while changing a PIN.
///
/// ``LocalAuthService/changePin(in:)`` throws neither ``noVault`` nor ``refused(_:)`` nor ``cancelled``: these are
/// cases of its ``NewPinOutcome``.
public enum ChangePinError: Error, Hashable, Sendable {
    /// The new PIN is refused, for all of these reasons: it breaks a rule, or it is the old PIN
    /// (``PinObjection/sameAsCurrent``). The old PIN was not tried.
    case newPinRefused([PinObjection])
    /// The same as ``UnlockError/noVault``.
    case noVault
    /// The old PIN was refused.
    case refused(PinRefusal)
    /// The same as ``UnlockError/cancelled``.
    case cancelled
    /// The old PIN could not be tried, or its outcome not be stored; see ``UnlockError/vault(_:)``.
    case unlock(VaultError)
    /// The vault has changed since the old PIN opened it: it has locked by itself, or another process has changed it.
    /// Begin again.
    case vault(VaultError)
    /// The old PIN is right, but the vault could not be sealed under the new one.
    case rekey(VaultError)
    /// There is no such profile, or the registry could not be read or written. The PIN has not changed. Only
    /// ``LocalAuthService`` throws this.
    case registry(RegistryError)
    /// The prompt answered with a box whose PIN was already taken; see ``LocalAuthError/emptyPinBox``. Only
    /// ``LocalAuthService`` throws this.
    case emptyPinBox
}

extension Vault {
    /// Changes the PIN from `old` to `new`, and opens the vault.
    ///
    /// The old PIN is tried and counted like any attempt. Then a new state is sealed under a new vault key and a new
    /// salt, and written beside the current one. The new state is read back and opened with the new PIN. Only then does
    /// it replace the current state, in one write. After a crash at any point, exactly one PIN opens the vault, and the
    /// secrets are the same.
    ///
    /// A new PIN that equals `old` is refused. The two are compared with each other, in constant time, so the refusal
    /// does not reveal whether `old` is right.
    ///
    /// Since the vault key is new, the old PIN and an old copy of the record open nothing that is written later.
    public func changePin(
        from old: borrowing Pin,
        to new: borrowing Pin
    ) async throws(ChangePinError) -> OpenVault {
        try check(newPinRules().objections(to: new, isCurrent: old.isEqual(to: new)))
        let opened = try await openToChange(with: old)
        do {
            let current = try await takingOverPromoted(opened, with: old)
            return await .opened(try await rekey(current, to: new), of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }

    /// Replaces a local PIN with a two-party PIN, and opens the vault.
    ///
    /// Ask the user to choose a new PIN. Older copies of the record can exist in a backup, or in deleted blocks of the
    /// disk. An attacker with such a copy can try all PINs on it, and finds `old`. No copy reveals `new`.
    ///
    /// The old PIN is tried and counted like any attempt. After a crash, the vault is unchanged or moved; repeat the
    /// same call.
    ///
    /// - Parameters:
    ///   - old: The PIN that opens the vault.
    ///   - new: The new PIN, which the policy must allow. It may equal `old`; then the policy is not checked.
    ///   - code: An enrolment code as proof of full credentials, if the device had a two-party PIN before.
    /// - Throws: ``ChangePinError``; ``VaultError/noHardener`` if the vault has no hardener or its device is not bound.
    public func moveToTwoPartyPin(
        from old: borrowing Pin,
        to new: borrowing Pin,
        code: EnrolmentCode? = nil
    ) async throws(ChangePinError) -> OpenVault {
        if !old.isEqual(to: new) { try check(objections(to: new)) }
        let opened = try await openToChange(with: old)
        do throws(VaultError) {
            let current = try await takingOverPromoted(opened, with: new, orElse: old)
            guard let hardener else { throw .noHardener }
            let moved: OpenedRecord
            if current.record.sealed.slots.pin?.hardened != nil {
                // An earlier, interrupted call has moved the vault, perhaps under the old PIN.
                moved = try await rekey(current, to: new)
            } else if let (device, opener) = try await deviceOpener(of: current, from: hardener, code: code) {
                moved = try await rekey(current, to: new, resettingCount: true, by: .hardened(device, opener))
            } else {
                throw .noHardener
            }
            return await .opened(moved, of: self, by: .pin)
        } catch {
            throw .rekey(error)
        }
    }

    private func check(_ objections: [PinObjection]) throws(ChangePinError) {
        guard objections.isEmpty else { throw .newPinRefused(objections) }
    }

    /// Tries the old PIN, which is counted like any attempt.
    private func openToChange(with old: borrowing Pin) async throws(ChangePinError) -> OpenedRecord {
        do {
            return try await open(with: old)
        } catch {
            switch error {
            case .noVault: throw .noVault
            case .refused(let refusal): throw .refused(refusal)
            case .cancelled: throw .cancelled
            case .vault(let error): throw .unlock(error)
            }
        }
    }

    /// Does the same as ``takingOverPromoted(_:with:)``, first with `pin`, then with `other`: the promoted slot may
    /// have either.
    private func takingOverPromoted(
        _ opened: OpenedRecord,
        with pin: borrowing Pin,
        orElse other: borrowing Pin
    ) async throws(VaultError) -> OpenedRecord {
        do {
            return try await takingOverPromoted(opened, with: pin)
        } catch .superseded where !pin.isEqual(to: other) {
            return try await takingOverPromoted(opened, with: other)
        }
    }
}
