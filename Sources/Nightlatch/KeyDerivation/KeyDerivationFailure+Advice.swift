extension KeyDerivationFailure: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .memoryUnavailable: ErrorGuidance(.memoryFull, .freeSpace)
        case .impossibleParameters: .defect("key-derivation-parameters")
        case .system(let status): .defect("key-derivation-\(status)")
        }
    }
}
