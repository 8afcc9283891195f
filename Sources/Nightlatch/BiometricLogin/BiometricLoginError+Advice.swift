extension BiometricLoginError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch code {
        case .notEnabled: return ErrorGuidance(.biometricsNotSetUp, .signIn)
        case .enabledForAnother: return ErrorGuidance(.boundElsewhere, .signIn)
        case .bindingUndecided(let wait): return ErrorGuidance(.changedMeanwhile, .tryLater(after: wait))
        // The other codes always have a cause.
        case .record, .setUp, .unlock, .binding, .login, .revocation, .removal, .vault:
            let guidance = cause?.guidance ?? .defect("biometric-login-\(code)")
            // The vault of a biometric login may have no PIN, so the advice is to use the full credentials.
            return code == .unlock && guidance.advice == .askForPin
                ? ErrorGuidance(guidance.summary, .signIn) : guidance
        }
    }
}
