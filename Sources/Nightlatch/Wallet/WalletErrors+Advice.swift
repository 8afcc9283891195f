extension WalletKeyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .exists: ErrorGuidance(.alreadyThere, .tryAgain)
        case .notAPrivateKey: .defect("not-a-private-key")
        case .vault(let error): error.guidance
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .vault(let error): error
        case .exists, .notAPrivateKey: nil
        }
    }
}

extension WalletSigningError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .cancelled: .cancelled
        case .unlock(let error): error.guidance
        case .noKey: ErrorGuidance(.noSuchKey, .nothing)
        case .vault(let error): error.guidance
        case .cryptography: ErrorGuidance(.internalFault, .tryAgain)
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .unlock(let error): error
        case .vault(let error): error
        case .noVault, .refused, .cancelled, .noKey, .cryptography: nil
        }
    }
}
