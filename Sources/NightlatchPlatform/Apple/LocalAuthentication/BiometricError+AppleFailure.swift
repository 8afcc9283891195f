import Nightlatch

extension BiometricAvailability {
    init(_ state: BiometryState) {
        self = state.failure.map { Self($0, state.sensor) ?? .notNow } ?? .available
    }

    /// What a failure says of whether the person could be asked; nil if it says nothing of that.
    fileprivate init?(_ failure: AppleFailure, _ sensor: BiometrySensor) {
        switch failure.kind {
        // The system has one code for three causes. A finger needs no permission, so its sensor cannot be reached now: the lid is closed.
        case .localAuthentication(.biometryNotAvailable):
            self = sensor == .none ? .noHardware : sensor.needsPermission ? .permissionDenied : .notNow
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

/// What the hashes of the enrolment say of a key: a hint, since a major version of the system may give the same faces another.
enum EnrolmentChange: Hashable, Sendable {
    case same, another, unknown

    /// - Parameters:
    ///   - then: The hash when the key was made, if the system told.
    ///   - now: The hash now, if the system tells.
    ///   - protection: What releases the key.
    init(since then: [UInt8]?, now: [UInt8]?, _ protection: BiometricProtection) {
        switch protection {
        case .biometricsOnly:
            guard let then, let now else {
                self = .unknown
                return
            }
            self = then == now ? .same : .another
        // No enrolment takes such a key away.
        case .biometricsOrPasscode: self = .same
        }
    }
}

extension BiometricError {
    /// The error for a prompt that ended without recognising the person.
    init(prompt failure: AppleFailure, _ sensor: BiometrySensor) {
        if let availability = BiometricAvailability(failure, sensor) {
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
    /// The documentation does not say with what the system refuses a key whose enrolment is gone. Where the enrolment is known to be
    /// another, whatever says no more than that the key failed is taken for that; where it is known to be the same, nothing is: a change
    /// that was none would be taken for an attack. Where it is not known, the codes decide that can hardly mean anything else.
    init(use failure: AppleFailure, _ sensor: BiometrySensor, _ change: EnrolmentChange) {
        let isRefusal =
            switch failure.kind {
            case .localAuthentication(.authenticationFailed), .status(.authFailed), .status(.itemNotFound),
                .token(.authenticationFailed), .token(.corruptedData), .token(.objectNotFound):
                true
            default: false
            }
        let error = BiometricError(prompt: failure, sensor)
        self =
            switch (error, change) {
            case (_, .another) where isRefusal, (_, .unknown) where isRefusal, (.failed, .another): .enrolmentChanged
            case (_, .same) where isRefusal: .failed(systemStatus: failure.systemStatus)
            default: error
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
