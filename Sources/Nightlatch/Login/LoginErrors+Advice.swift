extension LoginError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notBound: ErrorGuidance(.notBound, .bindAgain)
        case .boundElsewhere: ErrorGuidance(.boundElsewhere, .bindAgain)
        case .revoked: ErrorGuidance(.deviceRevoked, .bindAgain)
        case .blocked: ErrorGuidance(.deviceBlocked, .tryLater(after: nil))
        case .vault(let error): error.guidance
        case .key(let error): error.guidance
        case .relyingParty(let error): error.guidance
        }
    }
}

extension SessionError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .key(let error): error.guidance
        case .relyingParty(let error): error.guidance
        }
    }
}
