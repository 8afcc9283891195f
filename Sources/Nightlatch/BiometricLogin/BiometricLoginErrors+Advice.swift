extension BiometricLoginError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notEnabled: ErrorGuidance(.biometricsNotSetUp, .signIn)
        case .enabledForAnother: ErrorGuidance(.boundElsewhere, .signIn)
        case .record(let error): error.guidance
        case .setUp(let error): error.guidance
        // The vault of a biometric login may have no PIN, so the advice is to use the full credentials.
        case .unlock(let error):
            error.guidance.advice == .askForPin ? ErrorGuidance(error.guidance.summary, .signIn) : error.guidance
        case .binding(let error): error.guidance
        case .login(let error): error.guidance
        case .revocation(let error): error.guidance
        case .bindingUndecided(let wait): ErrorGuidance(.changedMeanwhile, .tryLater(after: wait))
        case .removal(let error): error.guidance
        case .vault(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .record(let error): error
        case .setUp(let error): error
        case .unlock(let error): error
        case .binding(let error): error
        case .login(let error): error
        case .revocation(let error): error
        case .removal(let error): error
        case .vault(let error): error
        case .notEnabled, .enabledForAnother, .bindingUndecided: nil
        }
    }
}

extension BiometricLoginRecordError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .store(let error): error.guidance
        case .corrupt: ErrorGuidance(.damaged, .signIn)
        case .newerFormat: .newerVersion
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .store(let error): error
        case .corrupt, .newerFormat: nil
        }
    }
}
