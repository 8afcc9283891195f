extension LocalAuthError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .registry(let error): error.guidance
        case .vault(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error): error
        case .vault(let error): error
        case .emptyPinBox: nil
        }
    }
}

extension AuthenticatorError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinIsAlwaysThere: .defect("pin-is-always-there")
        case .registry(let error): error.guidance
        case .unlock(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        case .noKeyring: BiometricSetupError.noKeyring.guidance
        case .vault(let error): error.guidance
        case .biometrics(let error): error.setUpGuidance
        case .preference(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error), .preference(let error): error
        case .unlock(let error), .vault(let error): error
        case .biometrics(let error): error
        case .pinIsAlwaysThere, .emptyPinBox, .noKeyring: nil
        }
    }
}

extension RegistrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .tooManyProfiles: ErrorGuidance(.tooMany, .tryAgain)
        case .vaultExists: CreateVaultError.exists.guidance
        case .registry(let error): error.guidance
        case .vault(let error): error.guidance
        case .pinRefused: .pinRefused
        case .create(let error): error.guidance
        case .emptyPinBox: .emptyPinBox
        case .completion(let error): ErrorGuidance(of: error)
        case .undone: ErrorGuidance(.changedMeanwhile, .tryAgain)
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error): error
        case .vault(let error): error
        case .create(let error): error
        case .completion(let failure): failure as? any AdvisedError
        case .tooManyProfiles, .vaultExists, .pinRefused, .emptyPinBox, .undone: nil
        }
    }
}

extension ErrorGuidance {
    static let emptyPinBox = ErrorGuidance.defect("empty-pin-box")
}
