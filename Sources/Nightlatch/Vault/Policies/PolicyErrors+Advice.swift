public import NightlatchWire

extension PolicyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .vault(let error): .caused(by: error)
        case .corrupt: ErrorGuidance(.damaged, .tryAgain)
        case .refused(let refusal): refusal.guidance
        }
    }
}

extension PolicyRefusal: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noPinnedKey: .defect("policy-no-pinned-key")
        case .wrongSignature: PolicyStatementError.wrongSignature.guidance
        case .malformed: PolicyStatementError.malformed.guidance
        case .ofAnother: .defect("policy-of-another")
        case .older: .defect("policy-older")
        case .contradictory: .defect("policy-contradictory")
        }
    }
}

extension PolicyStatementError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .wrongSignature: .defect("policy-signature")
        case .malformed: .defect("policy-malformed")
        }
    }
}
