extension BindingError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .alreadyBound: ErrorGuidance(.alreadyThere, .nothing)
        case .codeOfAnotherUser: ErrorGuidance(.codeOfAnotherPerson, .bindAgain)
        case .superseded: ErrorGuidance(.changedMeanwhile, .bindAgain)
        case .vault(let error): .caused(by: error)
        case .key(let error): .caused(by: error)
        case .relyingParty(let error): .caused(by: error)
        }
    }
}

extension ForgetBindingError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .key(let error): .caused(by: error, error.removalGuidance)
        case .vault(let error): .caused(by: error)
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
        case .noPin(let error): .caused(by: error)
        case .biometrics(.enrolmentChanged):
            .caused(by: BiometricError.enrolmentChanged, ErrorGuidance(.biometricsChanged, .bindAgain))
        case .biometrics(let error):
            .caused(by: error, error.guidance.advice == .askForPin ? error.setUpGuidance : nil)
        case .tooManyKeys: ErrorGuidance(.tooMany, .tryAgain)
        case .textTooLong: .defect("text-too-long")
        case .key(let error): .caused(by: error)
        case .vault(let error): .caused(by: error)
        case .registry(let error): .caused(by: error)
        }
    }
}
