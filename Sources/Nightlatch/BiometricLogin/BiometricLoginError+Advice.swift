extension BiometricLoginError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch code {
        case .notEnabled: return ErrorGuidance(.biometricsNotSetUp, .signIn)
        case .enabledForAnother: return ErrorGuidance(.boundElsewhere, .signIn)
        case .bindingUndecided(let wait): return ErrorGuidance(.changedMeanwhile, .tryLater(after: wait))
        // The other codes always have a cause.
        case .record, .setUp, .unlock, .binding, .login, .revocation, .removal, .vault:
            guard let cause else { return .defect("biometric-login-\(code)") }
            // The vault of a biometric login may have no PIN, so the advice is to use the full credentials.
            guard code == .unlock, cause.guidance.advice == .askForPin else { return .caused(by: cause) }
            return .caused(by: cause, ErrorGuidance(cause.guidance.summary, .signIn))
        }
    }
}
