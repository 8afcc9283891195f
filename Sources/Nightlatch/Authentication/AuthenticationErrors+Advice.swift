extension LocalAuthError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notRegistered: ProfileError.notRegistered.guidance
        case .registry(let error): error.guidance
        case .vault(let error): error.guidance
        case .notPrepared(let failure), .keyDerivation(let failure): failure.guidance
        case .hardener(let error): error.guidance
        case .noHardener: .noHardener
        case .emptyPinBox: .emptyPinBox
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error): error
        case .vault(let error): error
        case .notPrepared(let error), .keyDerivation(let error): error
        case .hardener(let error): error
        case .notRegistered, .noHardener, .emptyPinBox: nil
        }
    }
}

extension AuthenticatorError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .pinIsAlwaysThere: .defect("pin-is-always-there")
        case .localAuth(let error): error.guidance
        case .biometrics(let error): error.guidance
        case .preference(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .localAuth(let error): error
        case .biometrics(let error): error
        case .preference(let error): error
        case .pinIsAlwaysThere: nil
        }
    }
}

extension NewPinError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .localAuth(let error): error.guidance
        case .vault(let error): ErrorGuidance(of: error)
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .localAuth(let error): error
        case .vault(let failure): failure as? any AdvisedError
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
        case .tooManyProfiles, .vaultExists, .emptyPinBox, .undone: nil
        }
    }
}

extension ErrorGuidance {
    fileprivate static let emptyPinBox = ErrorGuidance.defect("empty-pin-box")
}
