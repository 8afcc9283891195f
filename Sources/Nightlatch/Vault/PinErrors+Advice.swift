extension UnlockError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .vault(let error): error.guidance
        case .cancelled: .cancelled
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .noVault, .refused, .cancelled: nil
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
        case .unlock(let error): error.guidance
        case .vault(let error): error.guidance
        case .rekey(let error): error.guidance
        case .registry(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .unlock(let error): error
        case .vault(let error): error
        case .rekey(let error): error
        case .registry(let error): error
        case .newPinRefused, .noVault, .refused, .cancelled, .emptyPinBox: nil
        }
    }
}

extension SetPinError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinRefused: .pinRefused
        case .hasPin: ErrorGuidance(.pinIsSet, .nothing)
        case .recoveryPhraseNeeded: Unblocking.recoveryPhrase.guidance
        case .vault(let error): error.guidance
        case .rekey(let error): error.guidance
        case .registry(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .rekey(let error): error
        case .registry(let error): error
        case .pinRefused, .hasPin, .recoveryPhraseNeeded, .emptyPinBox: nil
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
        case .vault(let error): error.guidance
        case .rekey(let error): error.guidance
        case .registry(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .rekey(let error): error
        case .registry(let error): error
        case .noVault, .notSetUp, .wrongPhrase, .unauthenticated, .credentialsNeeded, .newPinRefused, .emptyPinBox: nil
        }
    }
}

extension RecoverySetupError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinNeeded: ErrorGuidance(.pinNeeded, .askForPin)
        case .vault(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .pinNeeded: nil
        }
    }
}

extension ErrorGuidance {
    /// The advice is to try later, because the store may find the vault later.
    static let nothingFound = ErrorGuidance(.nothingFound, .tryLater(after: nil))
    static let pinRefused = ErrorGuidance(.pinRefused, .tryAgain)
}
