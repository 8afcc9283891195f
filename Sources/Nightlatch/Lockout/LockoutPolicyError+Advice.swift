extension LockoutPolicyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .limit: .defect("lockout-limit")
        case .firstWait: .defect("lockout-first-wait")
        case .waits: .defect("lockout-waits")
        case .shrinkingWaits: .defect("lockout-shrinking-waits")
        }
    }
}
