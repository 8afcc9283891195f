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

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .key(let error): error
        case .relyingParty(let error): error
        case .notBound, .boundElsewhere, .revoked, .blocked: nil
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

    public var cause: (any AdvisedError)? {
        switch self {
        case .key(let error): error
        case .relyingParty(let error): error
        }
    }
}
