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
}

extension BiometricLoginRecordError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .store(let error): error.guidance
        case .corrupt: ErrorGuidance(.damaged, .signIn)
        case .newerFormat: .newerVersion
        }
    }
}
