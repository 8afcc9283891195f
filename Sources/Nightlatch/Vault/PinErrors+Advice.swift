extension UnlockError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .vault(let error): .caused(by: error)
        case .cancelled: .cancelled
        }
    }
}

extension PinRefusal {
    /// The summary of the refusal, and advice on what to do.
    public var guidance: ErrorGuidance {
        switch self {
        case .wrong(let triesLeft, nil): ErrorGuidance(.wrongPin(triesLeft: triesLeft), .tryAgain)
        case .wrong(let triesLeft, let wait?): ErrorGuidance(.wrongPin(triesLeft: triesLeft), .tryLater(after: wait))
        case .waiting(let wait, _): ErrorGuidance(.pinWaiting(wait), .tryLater(after: wait))
        case .blocked(let unblocking): unblocking.guidance
        case .erased: ErrorGuidance(.erased, .bindAgain)
        }
    }
}

extension Unblocking {
    /// The summary of a blocked PIN, and advice on how to unblock the vault.
    public var guidance: ErrorGuidance {
        switch self {
        case .newCredentials: ErrorGuidance(.pinBlocked, .signIn)
        case .recoveryPhrase: ErrorGuidance(.phraseNeeded, .askForPhrase)
        }
    }
}

extension ChangePinError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .newPinRefused: .pinRefused
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .cancelled: .cancelled
        case .unlock(let error): .caused(by: error)
        case .vault(let error): .caused(by: error)
        case .rekey(let error): .caused(by: error)
        case .registry(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        }
    }
}

extension SetPinError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinRefused: .pinRefused
        case .hasPin: ErrorGuidance(.pinIsSet, .nothing)
        case .recoveryPhraseNeeded: Unblocking.recoveryPhrase.guidance
        case .vault(let error): .caused(by: error)
        case .rekey(let error): .caused(by: error)
        case .registry(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        }
    }
}

extension RecoveryError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .notSetUp: ErrorGuidance(.phraseNotSetUp, .signIn)
        case .wrongPhrase: ErrorGuidance(.phraseWrong, .tryAgain)
        case .unauthenticated: ErrorGuidance(.phraseUnproved, .nothing)
        case .credentialsNeeded: Unblocking.newCredentials.guidance
        case .newPinRefused: .pinRefused
        case .vault(let error): .caused(by: error)
        case .rekey(let error): .caused(by: error)
        case .registry(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        }
    }
}

extension RecoverySetupError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinNeeded: ErrorGuidance(.pinNeeded, .askForPin)
        case .vault(let error): .caused(by: error)
        }
    }
}

extension ErrorGuidance {
    /// The advice is to try later, because the store may find the vault later.
    static let nothingFound = ErrorGuidance(.nothingFound, .tryLater(after: nil))
    static let pinRefused = ErrorGuidance(.pinRefused, .tryAgain)
}
