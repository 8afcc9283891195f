public import NightlatchWire

extension PolicyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .vault(let error): .caused(by: error)
        // The next login replaces the policy.
        case .corrupt: ErrorGuidance(.damaged, .nothing)
        case .refused(let refusal): refusal.guidance
        }
    }
}

extension PolicyRefusal: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noPinnedKey: ErrorGuidance(.outdated, .bindAgain)
        case .wrongSignature: PolicyStatementError.wrongSignature.guidance
        case .malformed: PolicyStatementError.malformed.guidance
        case .ofAnother: .defect("policy-of-another")
        case .contradictory: .defect("policy-contradictory")
        }
    }
}

extension PolicyStatementError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .wrongSignature: ErrorGuidance(.notTheService, .bindAgain)
        case .malformed: .defect("policy-malformed")
        }
    }
}
