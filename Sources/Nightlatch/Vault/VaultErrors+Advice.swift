extension VaultError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch code {
        case .locked: ErrorGuidance(.locked, .askForPin)
        case .superseded: ErrorGuidance(.changedMeanwhile, .askForPin)
        case .reservedName: .defect("reserved-name")
        case .tooLarge: .defect("vault-too-large", .tooMany)
        case .corrupt, .unacceptableKeyDerivation: ErrorGuidance(.damaged, .bindAgain, cause: cause)
        case .newerFormat: cause.map { .caused(by: $0) } ?? .newerVersion
        case .noRecordKey: ErrorGuidance(.fromElsewhere, .bindAgain)
        case .noHardener: .defect("no-hardener")
        // These codes always have a cause.
        case .unavailable, .conflict, .full, .refused, .notPrepared, .keyDerivation, .hardener:
            cause.map { .caused(by: $0) } ?? .defect("vault-\(code)")
        }
    }
}

extension CreateVaultError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .exists: .defect("vault-exists", .alreadyThere)
        case .pinRefused: .pinRefused
        case .vault(let error): .caused(by: error)
        }
    }
}

extension EraseVaultError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .vault(let error): .caused(by: error)
        case .biometrics(let error): .caused(by: error, error.setUpGuidance)
        }
    }
}

extension BiometricSetupError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noKeyring: .defect("no-keyring")
        case .notPermitted: .biometricsForbidden
        case .vault(let error): .caused(by: error)
        case .biometrics(let error): .caused(by: error, error.setUpGuidance)
        }
    }
}

extension BiometricUnlockError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .notSetUp: ErrorGuidance(.biometricsNotSetUp, .askForPin)
        case .notPermitted: .biometricsForbidden
        case .blocked(let unblocking): unblocking.guidance
        case .biometrics(let error): .caused(by: error)
        case .vault(let error): .caused(by: error)
        }
    }
}

extension FullCredentialsError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notBound: ErrorGuidance(.notBound, .bindAgain)
        case .boundElsewhere: ErrorGuidance(.boundElsewhere, .bindAgain)
        case .otherUser: ErrorGuidance(.codeOfAnotherPerson, .tryAgain)
        case .vault(let error): .caused(by: error)
        case .relyingParty(let error): .caused(by: error)
        }
    }
}

extension ErrorGuidance {
    /// The guidance if the relying party's policy does not allow biometrics.
    static let biometricsForbidden = ErrorGuidance(.forbiddenByPolicy, .askForPin)
}
