extension BindingError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .alreadyBound: ErrorGuidance(.alreadyThere, .nothing)
        case .codeOfAnotherUser: ErrorGuidance(.codeOfAnotherPerson, .bindAgain)
        case .superseded: ErrorGuidance(.changedMeanwhile, .bindAgain)
        case .vault(let error): error.guidance
        case .key(let error): error.guidance
        case .relyingParty(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .key(let error): error
        case .relyingParty(let error): error
        case .alreadyBound, .codeOfAnotherUser, .superseded: nil
        }
    }
}

extension ForgetBindingError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .key(let error): error.removalGuidance
        case .vault(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .key(let error): error
        case .vault(let error): error
        }
    }
}

extension UserKeyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noKey: ErrorGuidance(.noSuchKey, .bindAgain)
        case .superseded: ErrorGuidance(.changedMeanwhile, .bindAgain)
        case .cancelled: .cancelled
        case .timedOut: ErrorGuidance(.tookTooLong, .tryAgain)
        case .unsupported: ErrorGuidance(.unsupported, .nothing)
        case .wrongPin(let triesLeft): ErrorGuidance(.wrongPin(triesLeft: triesLeft), .tryAgain)
        case .pinWaiting(let wait): ErrorGuidance(.pinWaiting(wait), .tryLater(after: wait))
        case .pinBlocked: ErrorGuidance(.pinBlocked, .bindAgain)
        case .pinRefused: .pinRefused
        case .noPin(let error): error.guidance
        case .biometrics(.enrolmentChanged): ErrorGuidance(.biometricsChanged, .bindAgain)
        case .biometrics(let error): error.guidance.advice == .askForPin ? error.setUpGuidance : error.guidance
        case .tooManyKeys: ErrorGuidance(.tooMany, .tryAgain)
        case .textTooLong: .defect("text-too-long")
        case .key(let error): error.guidance
        case .vault(let error): error.guidance
        case .registry(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .noPin(let error): error
        case .biometrics(let error): error
        case .key(let error): error
        case .vault(let error): error
        case .registry(let error): error
        case .noKey, .superseded, .cancelled, .timedOut, .unsupported, .wrongPin, .pinWaiting, .pinBlocked, .pinRefused,
            .tooManyKeys, .textTooLong:
            nil
        }
    }
}
