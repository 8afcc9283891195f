public import Nightlatch

extension JourneyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .notConfigured: ErrorGuidance(.internalFault, .defect(code: "journey-not-configured"))
        case .transport(let error): .caused(by: error)
        case .unintelligible: ErrorGuidance(.notTheService, .checkNetwork)
        case .serverFailed(status: 429): ErrorGuidance(.serviceBusy, .tryLater(after: nil))
        case .serverFailed: ErrorGuidance(.serviceFailed, .tryLater(after: nil))
        case .keySuperseded: UserKeyError.superseded.guidance
        case .keyRegistry(let error): .caused(by: error)
        case .key(let error): .caused(by: error)
        case .keyVault(let error): .caused(by: error)
        case .keyBiometrics(let error): UserKeyError.biometrics(error).guidance
        case .keyUnsupported: UserKeyError.unsupported.guidance
        case .alreadyAnswered: ErrorGuidance(.changedMeanwhile, .tryAgain)
        case .noSession: ErrorGuidance(.loginEnded, .signIn)
        case .refused: ErrorGuidance(.refused, .tryAgain)
        }
    }

    /// A description of the error and of the next step. If the server refused with a message, that message.
    public var errorDescription: String? {
        guard case .refused(_, let message) = self, !message.isEmpty else { return text() }
        return message
    }
}
