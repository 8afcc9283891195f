import Nightlatch

extension BiometricAvailability {
    init(_ state: BiometryState) {
        self = state.failure.map { Self($0, hasSensor: state.hasSensor) ?? .noHardware } ?? .available
    }

    /// What a failure says of whether the person could be asked; nil if it says nothing of that.
    fileprivate init?(_ failure: AppleFailure, hasSensor: Bool) {
        switch failure.kind {
        // The system has one code for both: it knows the sensor, and keeps it from this app.
        case .localAuthentication(.biometryNotAvailable): self = hasSensor ? .permissionDenied : .noHardware
        case .localAuthentication(.biometryNotEnrolled): self = .notEnrolled
        case .localAuthentication(.biometryLockout): self = .lockedOut
        case .localAuthentication(.passcodeNotSet): self = .noPasscode
        case .localAuthentication(.biometryNotPaired), .localAuthentication(.biometryDisconnected),
            .localAuthentication(.companionNotAvailable):
            self = .noHardware
        default: return nil
        }
    }
}

extension BiometricError {
    /// The error for a prompt that ended without recognising the person.
    init(prompt failure: AppleFailure, hasSensor: Bool) {
        if let availability = BiometricAvailability(failure, hasSensor: hasSensor) {
            self = .unavailable(availability)
            return
        }
        self =
            switch failure.kind {
            case .localAuthentication(.userCancel), .status(.userCanceled), .token(.canceledByUser): .cancelled
            case .localAuthentication(.userFallback): .pinChosen
            case .localAuthentication(.authenticationFailed), .status(.authFailed), .token(.authenticationFailed):
                .denied
            case .localAuthentication(.systemCancel), .localAuthentication(.appCancel),
                .localAuthentication(.invalidContext), .localAuthentication(.notInteractive),
                .status(.interactionNotAllowed), .status(.interactionRequired), .token(.authenticationNeeded):
                .interrupted
            default: .failed(systemStatus: failure.systemStatus)
            }
    }

    /// The error for a key that did not serve a person who had just been recognised.
    ///
    /// The documentation does not say with what the system refuses a key whose enrolment is gone. These codes can hardly mean anything
    /// else then, and any other one does if the enrolment is known to be another: to take a failure for that costs the person one
    /// setting up, and the PIN is the way on in any case.
    init(use failure: AppleFailure, hasSensor: Bool, isEnrolmentAnother: Bool) {
        switch failure.kind {
        case .localAuthentication(.authenticationFailed), .status(.authFailed), .status(.itemNotFound),
            .token(.authenticationFailed), .token(.corruptedData), .token(.objectNotFound):
            self = .enrolmentChanged
        default:
            let error = BiometricError(prompt: failure, hasSensor: hasSensor)
            if case .failed = error, isEnrolmentAnother { self = .enrolmentChanged } else { self = error }
        }
    }

    /// The error for the store in which a key's representation lies.
    init(_ error: StoreError) {
        let status = error.systemStatus.map { KeychainStatus(rawValue: $0) }
        self =
            switch error.code {
            case .unavailable where status == .userCanceled: .cancelled
            case .unavailable, .conflict: .interrupted
            case .corrupt: .corrupt
            case .full: .failed(systemStatus: (status ?? .diskFull).rawValue)
            case .refused: .failed(systemStatus: (status ?? .readOnly).rawValue)
            case .newerFormat: .failed(systemStatus: (status ?? .wrongVersion).rawValue)
            }
    }
}
