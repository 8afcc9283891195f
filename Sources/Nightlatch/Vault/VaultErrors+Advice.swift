extension VaultRecordError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .store(let error) where error.code == .corrupt: VaultRecordError.corrupt.guidance
        case .store(let error): error.guidance
        case .corrupt, .unacceptableKeyDerivation: ErrorGuidance(.damaged, .bindAgain)
        case .newerFormat: .newerVersion
        case .noRecordKey: ErrorGuidance(.fromElsewhere, .bindAgain)
        case .tooLarge: .defect("vault-too-large", .tooMany)
        }
    }
}

extension OpenVaultError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .locked: ErrorGuidance(.locked, .askForPin)
        case .superseded: ErrorGuidance(.changedMeanwhile, .askForPin)
        case .reservedName: .defect("reserved-name")
        case .record(let error): error.guidance
        }
    }
}

extension CreateVaultError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .exists: .defect("vault-exists", .alreadyThere)
        case .pinRefused: .pinRefused
        case .record(let error): error.guidance
        case .keyDerivation(let failure): failure.guidance
        case .hardener(let error): error.guidance
        }
    }
}

extension EraseVaultError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .record(let error): error.guidance
        case .biometrics(let error): error.setUpGuidance
        }
    }
}

extension BiometricSetupError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noKeyring: .defect("no-keyring")
        case .vault(let error): error.guidance
        case .biometrics(let error): error.setUpGuidance
        }
    }
}

extension BiometricUnlockError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .notSetUp: ErrorGuidance(.biometricsNotSetUp, .askForPin)
        case .blocked(let unblocking): unblocking.guidance
        case .biometrics(let error): error.guidance
        case .record(let error): error.guidance
        }
    }
}

extension FullCredentialsError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notBound: ErrorGuidance(.notBound, .bindAgain)
        case .boundElsewhere: ErrorGuidance(.boundElsewhere, .bindAgain)
        case .otherUser: ErrorGuidance(.codeOfAnotherPerson, .tryAgain)
        case .vault(let error): error.guidance
        case .relyingParty(let error): error.guidance
        }
    }
}
