extension DeregistrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .registry(let error): error.guidance
        case .vault(let error): error.guidance
        case .biometrics(let error): error.setUpGuidance
        case .deviceKey(let error): error.removalGuidance
        case .noDeviceKeys: .defect("no-device-keys")
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .registry(let error): error
        case .vault(let error): error
        case .biometrics(let error): error
        case .deviceKey(let error): error
        case .noDeviceKeys: nil
        }
    }
}
