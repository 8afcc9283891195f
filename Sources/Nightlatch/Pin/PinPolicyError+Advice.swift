extension PinPolicyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .lengths: .defect("pin-policy-lengths")
        case .distinctDigits: .defect("pin-policy-distinct-digits")
        }
    }
}
