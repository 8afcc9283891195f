extension LoginError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notBound: ErrorGuidance(.notBound, .bindAgain)
        case .boundElsewhere: ErrorGuidance(.boundElsewhere, .bindAgain)
        case .revoked: ErrorGuidance(.deviceRevoked, .bindAgain)
        case .blocked: ErrorGuidance(.deviceBlocked, .tryLater(after: nil))
        case .vault(let error): .caused(by: error)
        case .key(let error): .caused(by: error)
        case .relyingParty(let error): .caused(by: error)
        }
    }
}

extension SessionError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .key(let error): .caused(by: error)
        case .relyingParty(let error): .caused(by: error)
        }
    }
}
