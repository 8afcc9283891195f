extension LocalAuthError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .registry(let error): .caused(by: error)
        case .vault(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        }
    }
}

extension AuthenticatorError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinIsAlwaysThere: .defect("pin-is-always-there")
        case .notPermitted: .biometricsForbidden
        case .registry(let error): .caused(by: error)
        case .unlock(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        case .noKeyring: BiometricSetupError.noKeyring.guidance
        case .vault(let error): .caused(by: error)
        case .biometrics(let error): .caused(by: error, error.setUpGuidance)
        case .preference(let error): .caused(by: error)
        }
    }
}

extension RegistrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .tooManyProfiles: ErrorGuidance(.tooMany, .tryAgain)
        case .vaultExists: CreateVaultError.exists.guidance
        case .registry(let error): .caused(by: error)
        case .vault(let error): .caused(by: error)
        case .pinRefused: .pinRefused
        case .create(let error): .caused(by: error)
        case .emptyPinBox: .emptyPinBox
        case .completion(let error): .caused(by: error)
        case .undone: ErrorGuidance(.changedMeanwhile, .tryAgain)
        }
    }
}

extension ErrorGuidance {
    static let emptyPinBox = ErrorGuidance.defect("empty-pin-box")
}
