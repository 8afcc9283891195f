import Nightlatch

extension BiometricAvailability {
    init(_ state: BiometryState) {
        self = state.failure.map { Self($0, state.sensor) ?? .notNow } ?? .available
    }

    /// The availability that a failure indicates. Nil if the failure says nothing about it.
    fileprivate init?(_ failure: AppleFailure, _ sensor: BiometrySensor) {
        switch failure.kind {
        // The system has one code for three causes. Touch ID needs no permission, so the sensor is unreachable: the lid
        // is closed.
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

/// The change of the enrolment since a key was made, according to the enrolment's hashes.
///
/// It is a hint, because a major system update may change the hash of the same faces.
enum EnrolmentChange: Hashable, Sendable {
    case same, another, unknown

    /// Compares two hashes.
    ///
    /// - Parameters:
    ///   - then: The hash when the key was made, if the system returned one.
    ///   - now: The hash now, if the system returns one.
    ///   - protection: The protection of the key.
    init(since then: [UInt8]?, now: [UInt8]?, _ protection: BiometricProtection) {
        switch protection {
        case .biometricsOnly:
            guard let then, let now else {
                self = .unknown
                return
            }
            self = then == now ? .same : .another
        // A change of the enrolment does not invalidate such a key.
        case .biometricsOrPasscode: self = .same
        }
    }
}

extension BiometricError {
    /// Creates the error for a prompt that ended without recognising the user.
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
                .notRecognised
            case .localAuthentication(.systemCancel), .localAuthentication(.appCancel),
                .localAuthentication(.invalidContext), .localAuthentication(.notInteractive),
                .status(.interactionNotAllowed), .status(.interactionRequired), .token(.authenticationNeeded):
                .interrupted
            default: .failed(systemStatus: failure.systemStatus)
            }
    }

    /// Creates the error for a key that failed although the user was recognised.
    ///
    /// Apple does not document the error of a key whose enrolment has changed. The result depends on the hashes:
    ///
    /// - Another enrolment: every failure without another known cause becomes `enrolmentChanged`.
    /// - The same enrolment: no failure becomes `enrolmentChanged`. Otherwise an app would report an attack that did
    ///   not happen.
    /// - Unknown: the codes that can hardly mean anything else become `enrolmentChanged`.
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

    /// Creates the error for an error of the store that contains the key's representation.
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
