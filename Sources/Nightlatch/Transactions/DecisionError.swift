public import NightlatchWire

/// An error that occurs while deciding a transaction or a remote login.
///
/// ``LocalAuthService`` throws none of ``noVault``, ``refused(_:)``, ``biometricsNotSetUp``,
/// ``biometricsNotPermitted``, ``biometrics(_:)`` and ``cancelled``: it asks for the PIN after biometrics, and the rest
/// are cases of its ``TransactionOutcome``. Only a ``TransactionDecider`` or ``RemoteLoginDecider`` throws them.
public enum DecisionError: Error, Hashable, Sendable {
    /// The store finds no vault; see ``UnlockError/noVault``. Nothing was decided.
    case noVault
    /// The PIN was refused, most often because it was wrong, or a lockout blocks biometrics too. Nothing was decided.
    case refused(PinRefusal)
    /// Biometrics are not set up for this vault. Nothing was decided. Use the PIN instead.
    case biometricsNotSetUp
    /// The relying party's policy does not allow biometrics. Nothing was decided. Use the PIN instead.
    case biometricsNotPermitted
    /// Biometrics released no key. Nothing was decided. Use the PIN instead.
    case biometrics(BiometricError)
    /// The vault could not be opened. Nothing was decided. ``UnlockError/vault(_:)`` says what was counted.
    case unlock(VaultError)
    /// The task was cancelled before the PIN was tried. Nothing was decided.
    case cancelled
    /// There is no such profile, or the registry of profiles could not be read or written. Nothing was decided.
    case registry(RegistryError)
    /// The prompt answered with a box whose PIN was already taken; see ``LocalAuthError/emptyPinBox``. Nothing was
    /// decided.
    case emptyPinBox
    /// The vault has no binding, or not the session's binding. Nothing was decided.
    case notBound
    /// The relying party has revoked the device, or another device has replaced it. Nothing was decided.
    ///
    /// The device's keys and its binding are gone from this device. The secrets of the vault remain.
    case revoked
    /// The user or an operator has blocked the device. It keeps its keys. Nothing was decided.
    case blocked
    /// The vault could not be used, or lacks a secret that every binding has. Nothing was decided.
    case vault(VaultError)
    /// A key could not be used. Nothing was decided.
    case key(DeviceKeyError)
    /// The transaction had already ended, in this state; never `pending`.
    ///
    /// It has expired, the backend has withdrawn it, or it was decided, perhaps by an earlier call that got no answer.
    case ended(TransactionState)
    /// The transaction that was shown differs from the relying party's. Nothing was decided.
    ///
    /// Get the list again, and show the transaction again. If this happens again, an attacker may be changing the
    /// messages.
    case changed
    /// The transaction has a text with hidden characters, so the user cannot have seen its meaning
    /// (``PendingTransaction/canBeShown``).
    ///
    /// It can only be rejected. Nothing was decided, and no PIN was tried.
    case cannotBeShown
    /// The remote login had already ended.
    ///
    /// It has expired, devices of two users scanned its code, or it was decided, perhaps by an earlier call that got no
    /// answer. The login page or the backend shows which.
    case remoteLoginEnded
    /// The remote login that was shown differs from the relying party's. Nothing was decided.
    ///
    /// Get the list again, and show the login again. If this happens again, an attacker may be changing the messages.
    case remoteLoginChanged
    /// The number was not the one on the login page. The remote login has ended, and the browser was not logged in.
    ///
    /// The user may begin again at the login page. If the user did not open a login page, an attacker did.
    case numberWrong
    /// The login page shows a number, and the call had none. Nothing was decided, and no PIN was tried.
    ///
    /// Ask the user for the number.
    case numberMissing
    /// The call had a number, and the remote login has none. Nothing was decided, and no PIN was tried.
    ///
    /// Ask for a number only if `RemoteLoginDetails.hasNumber` is true.
    case numberUnexpected
    /// The relying party refused, or there is no usable answer.
    ///
    /// If the error is a refusal and its ``RelyingPartyRefusal/isDecision`` is true, nothing was recorded. Otherwise
    /// the user's decision may have been recorded. To find out, repeat the same call: ``ended(_:)`` and
    /// ``remoteLoginEnded`` report a recorded decision.
    case relyingParty(RelyingPartyError)
}

extension DecisionError {
    init(_ error: UnlockError) {
        switch error {
        case .noVault: self = .noVault
        case .refused(let refusal): self = .refused(refusal)
        case .vault(let error): self = .unlock(error)
        case .cancelled: self = .cancelled
        }
    }

    init(_ error: BiometricUnlockError) {
        switch error {
        case .noVault: self = .noVault
        case .notSetUp: self = .biometricsNotSetUp
        case .notPermitted: self = .biometricsNotPermitted
        case .blocked(let unblocking): self = .refused(.blocked(unblocking))
        case .biometrics(let error): self = .biometrics(error)
        case .vault(let error): self = .unlock(error)
        }
    }

    init(_ error: LocalAuthError) {
        switch error {
        case .registry(let error): self = .registry(error)
        case .vault(let error): self = .unlock(error)
        case .emptyPinBox: self = .emptyPinBox
        }
    }

    init(_ error: RelyingPartyError) {
        guard case .refused(let refusal) = error, refusal.isDecision else {
            self = .relyingParty(error)
            return
        }
        switch refusal.code {
        case .transactionConfirmed: self = .ended(.confirmed)
        case .transactionRejected: self = .ended(.rejected)
        case .transactionExpired: self = .ended(.expired)
        case .transactionVoided: self = .ended(.voided)
        case .transactionChanged: self = .changed
        case .remoteLoginEnded: self = .remoteLoginEnded
        case .remoteLoginChanged: self = .remoteLoginChanged
        case .deviceBlocked: self = .blocked
        default: self = .relyingParty(error)
        }
    }

    init(_ error: ForgetBindingError) {
        switch error {
        case .key(let error): self = .key(error)
        case .vault(let error): self = .vault(error)
        }
    }

    init(_ error: SessionError) {
        switch error {
        case .key(let error): self = .key(error)
        case .relyingParty(let error): self = DecisionError(error)
        }
    }
}
