public import Nightlatch

extension OidcError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .authorizeError(let fault as AuthorizationFault, _): fault.guidance
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

extension AuthorizationFault {
    fileprivate var guidance: ErrorGuidance {
        switch self {
        case .noSession: ErrorGuidance(.loginEnded, .signIn)
        case .refused(let fault) where fault.asksForLogin: ErrorGuidance(.loginEnded, .signIn)
        case .refused(let fault) where fault.code == "temporarily_unavailable":
            ErrorGuidance(.serviceBusy, .tryLater(after: nil))
        case .refused(let fault) where fault.code == "server_error":
            ErrorGuidance(.serviceFailed, .tryLater(after: nil))
        case .refused: ErrorGuidance(.refused, .defect(code: "oidc-refused"))
        case .foreign: ErrorGuidance(.internalFault, .defect(code: "oidc-foreign-answer"))
        case .untrusted: ErrorGuidance(.internalFault, .defect(code: "oidc-untrusted-server"))
        }
    }
}
