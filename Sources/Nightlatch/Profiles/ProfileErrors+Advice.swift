extension DeregistrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .registry(let error): .caused(by: error)
        case .vault(let error): .caused(by: error)
        case .biometrics(let error): .caused(by: error, error.setUpGuidance)
        case .deviceKey(let error): .caused(by: error, error.removalGuidance)
        }
    }
}
