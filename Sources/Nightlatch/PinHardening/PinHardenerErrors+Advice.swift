extension PinHardenerError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .unavailable(let error): .caused(by: error)
        case .notGenuine: ErrorGuidance(.notTheService, .checkNetwork)
        case .epochPassed: ErrorGuidance(.outdated, .bindAgain)
        case .candidateOpen, .codeNeeded: ErrorGuidance(.codeNeeded, .signIn)
        case .destroyed: ErrorGuidance(.pinBlocked, .signIn)
        case .refused(let refusal): refusal.guidance
        case .key(let error): .caused(by: error)
        case .elsewhere: ErrorGuidance(.fromElsewhere, .bindAgain)
        case .lockedOut(let wait, triesLeft: _): ErrorGuidance(.pinWaiting(wait), .tryLater(after: wait))
        case .chip(let error): .caused(by: error)
        case .store(let error): .caused(by: error)
        case .cancelled: .cancelled
        }
    }
}

extension PinChipError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .absent, .uncounted: ErrorGuidance(.chipUnavailable, .restoreAccess)
        case .unavailable: ErrorGuidance(.chipUnavailable, .tryLater(after: nil))
        case .refused: .notPermitted
        case .otherChip: ErrorGuidance(.fromElsewhere, .signIn)
        case .corrupt: ErrorGuidance(.damaged, .signIn)
        case .newerFormat: .newerVersion
        }
    }
}
