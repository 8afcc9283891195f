extension WalletKeyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .exists: ErrorGuidance(.alreadyThere, .tryAgain)
        case .notAPrivateKey: .defect("not-a-private-key")
        case .vault(let error): .caused(by: error)
        }
    }
}

extension WalletSigningError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .noVault: .nothingFound
        case .refused(let refusal): refusal.guidance
        case .cancelled: .cancelled
        case .unlock(let error): .caused(by: error)
        case .noKey: ErrorGuidance(.noSuchKey, .nothing)
        case .vault(let error): .caused(by: error)
        case .cryptography: ErrorGuidance(.internalFault, .tryAgain)
        }
    }
}
