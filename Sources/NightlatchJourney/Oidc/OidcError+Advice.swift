public import Nightlatch

extension OidcError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .authorizeError(let cause?, _): .caused(by: cause, ErrorGuidance(.loginEnded, .signIn))
        case .authorizeError: ErrorGuidance(.loginEnded, .signIn)
        case .networkError(let cause?, _): .caused(by: cause)
        case .networkError: ErrorGuidance(.unreachable, .checkNetwork)
        case .apiError(429, _): ErrorGuidance(.serviceBusy, .tryLater(after: nil))
        case .apiError(500..., _): ErrorGuidance(.serviceFailed, .tryLater(after: nil))
        case .apiError(200..<400, _): ErrorGuidance(.notTheService, .checkNetwork)
        case .apiError: ErrorGuidance(.refused, .tryAgain)
        case .unknown(let cause?, _): .caused(by: cause)
        case .unknown: ErrorGuidance(.internalFault, .defect(code: "oidc-not-configured"))
        }
    }
}
