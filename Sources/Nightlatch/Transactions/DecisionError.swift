public import NightlatchWire

/// Why a decision did not come about, or is not known to have.
public enum DecisionError: Error, Hashable, Sendable {
    /// The PIN did not open the vault. ``UnlockError/refused(_:)`` is the everyday one. Nothing was decided.
    case unlock(UnlockError)
    /// Biometrics released no key. Nothing was decided; the PIN is the way on.
    case biometrics(BiometricUnlockError)
    /// The person could not be asked (``LocalAuthService/decide(_:on:in:keys:clientID:reason:)``). Nothing was decided.
    case localAuth(LocalAuthError)
    /// The vault holds no binding, or not that of the session. Nothing was decided.
    case notBound
    /// The relying party has revoked the device, or another one has taken its place. Its keys and its binding are gone from this
    /// device; the secrets of the vault are not. Nothing was decided.
    case revoked
    /// The user or an operator has blocked the device. It keeps its keys. Nothing was decided.
    case blocked
    /// The vault could not be used, or lacks what every binding has there. Nothing was decided.
    case vault(OpenVaultError)
    /// A key could not be used. Nothing was decided.
    case key(DeviceKeyError)
    /// The transaction had ended before: somebody has decided it, be it an earlier call whose answer was lost, or the backend has
    /// taken it back, or its time is over. Never `pending`.
    case ended(TransactionState)
    /// What was shown is not what the relying party has. Nothing was decided. Get the list again, and show what is in it; if it
    /// happens again, somebody stands between.
    case changed
    /// The transaction has a text with hidden characters, so no person can have seen what it says (``PendingTransaction/canBeShown``). It can
    /// only be rejected. Nothing was decided, and no PIN was tried.
    case cannotBeShown
    /// The relying party gave no yes. If the refusal is no decision (``RelyingPartyRefusal/isDecision``), and after any other error, the
    /// decision may have been recorded: call again, with the same, to find out (``ended(_:)`` tells).
    case relyingParty(RelyingPartyError)
}

extension DecisionError {
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
