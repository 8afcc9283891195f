import Nightlatch

extension DeviceKeyError {
    /// The error for a key that was not made, found or used. These keys ask nobody; what only prompts fail with means "not now".
    init(_ failure: AppleFailure) {
        let code: Code =
            switch failure.kind {
            case .status(.authFailed), .token(.authenticationFailed), .localAuthentication(.authenticationFailed):
                .wrongAccess
            // The chip does not know, or cannot open, what it is said to have sealed.
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
