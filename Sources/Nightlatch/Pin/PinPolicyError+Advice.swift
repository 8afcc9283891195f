extension PinPolicyError: AdvisedError {
    public var guidance: ErrorGuidance { .defect("pin-policy-lengths") }
}
