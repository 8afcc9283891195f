public import Nightlatch

extension DeviceBindingStatus: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .timeout: ErrorGuidance(.tookTooLong, .tryAgain)
        case .abort: ErrorGuidance(.cancelled, .nothing)
        case .unsupported: ErrorGuidance(.unsupported, .restoreAccess)
        case .clientNotRegistered: ErrorGuidance(.notBound, .bindAgain)
        case .unAuthorize: ErrorGuidance(.biometricsNotRecognised, .tryAgain)
        case .invalidCustomClaims: ErrorGuidance(.internalFault, .defect(code: "journey-custom-claims"))
        }
    }

    /// The vendor's text, as in its SDK.
    public var errorDescription: String? { errorMessage }
}
