import NightlatchWire

extension DecisionError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .biometricsNotSetUp: BiometricUnlockError.notSetUp.guidance
        case .biometrics(let error): error.guidance
        case .unlock(let error): error.guidance
        case .cancelled: .cancelled
        case .registry(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        case .notBound: LoginError.notBound.guidance
        case .revoked: LoginError.revoked.guidance
        case .blocked: LoginError.blocked.guidance
        case .vault(let error): error.guidance
        case .key(let error): error.guidance
        case .ended(let state): ErrorGuidance(state.summary, .nothing)
        case .changed: ErrorGuidance(.transactionChanged, .tryAgain)
        case .cannotBeShown: ErrorGuidance(.transactionCannotBeShown, .nothing)
        case .relyingParty(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .biometrics(let error): error
        case .unlock(let error): error
        case .registry(let error): error
        case .vault(let error): error
        case .key(let error): error
        case .relyingParty(let error): error
        case .noVault, .refused, .biometricsNotSetUp, .cancelled, .emptyPinBox, .notBound, .revoked, .blocked,
            .ended, .changed, .cannotBeShown:
            nil
        }
    }
}

extension TransactionState {
    fileprivate var summary: ErrorSummary {
        switch self {
        case .confirmed: .transactionConfirmed
        case .rejected: .transactionRejected
        case .expired, .pending: .transactionExpired
        case .voided: .transactionVoided
        }
    }
}
