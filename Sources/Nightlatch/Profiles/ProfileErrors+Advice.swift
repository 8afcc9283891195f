extension ProfileRegistryError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .store(let error): error.guidance
        case .corrupt: .defect("profiles-corrupt", .damaged)
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

extension ProfileError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notRegistered: ErrorGuidance(.nothingFound, .bindAgain)
        case .registry(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error): error
        case .notRegistered: nil
        }
    }
}

extension DeregistrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .registry(let error): error.guidance
        case .vault(let error): error.guidance
        case .deviceKey(let error): error.removalGuidance
        case .noDeviceKeys: .defect("no-device-keys")
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error): error
        case .vault(let error): error
        case .deviceKey(let error): error
        case .noDeviceKeys: nil
        }
    }
}
