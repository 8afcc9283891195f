import Nightlatch

extension DeviceKeyError {
    /// Creates the error for a key that could not be made, found or used. These keys never ask the user, so errors of
    /// prompts mean "not now".
    init(_ failure: AppleFailure) {
        let code: Code =
            switch failure.kind {
            case .status(.authFailed), .token(.authenticationFailed), .localAuthentication(.authenticationFailed):
                .wrongAccess
            // The chip does not know or cannot open the key's representation.
            case .token(.corruptedData), .token(.objectNotFound), .status(.itemNotFound), .status(.decode): .corrupt
            case .status(.missingEntitlement), .status(.parameter), .status(.unimplemented), .token(.notImplemented),
                .token(.badParameter), .localAuthentication(.passcodeNotSet):
                .refused
            case .status(.diskFull): .full
            default: .unavailable
            }
        self.init(code, systemStatus: failure.systemStatus)
    }
}
