import NightlatchWire

extension DecisionError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .biometricsNotSetUp: BiometricUnlockError.notSetUp.guidance
        case .biometricsNotPermitted: .biometricsForbidden
        case .biometrics(let error): .caused(by: error)
        case .unlock(let error): .caused(by: error)
        case .cancelled: .cancelled
        case .registry(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        case .notBound: LoginError.notBound.guidance
        case .revoked: LoginError.revoked.guidance
        case .blocked: LoginError.blocked.guidance
        case .vault(let error): .caused(by: error)
        case .key(let error): .caused(by: error)
        case .ended(let state): ErrorGuidance(state.summary, .nothing)
        case .changed: ErrorGuidance(.transactionChanged, .tryAgain)
        case .cannotBeShown: ErrorGuidance(.transactionCannotBeShown, .nothing)
        case .remoteLoginEnded: ErrorGuidance(.remoteLoginEnded, .nothing)
        case .remoteLoginChanged: ErrorGuidance(.remoteLoginChanged, .tryAgain)
        case .numberWrong: ErrorGuidance(.remoteLoginNumberWrong, .nothing)
        case .numberMissing: ErrorGuidance(.remoteLoginNumberMissing, .tryAgain)
        case .numberUnexpected: .defect("remote-login-number")
        case .relyingParty(let error): .caused(by: error)
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
