extension StoreError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch code {
        case .conflict: ErrorGuidance(.changedMeanwhile, .tryAgain)
        case .unavailable:
            switch reason {
            case .overtaken: ErrorGuidance(.changedMeanwhile, .tryAgain)
            case .cancelled: .cancelled
            case .contradiction, .lockHeld, nil: ErrorGuidance(.storageUnavailable, .tryLater(after: nil))
            }
        case .full: .storageFull
        case .refused: .notPermitted
        case .corrupt: .defect("store-corrupt", .damaged)
        case .newerFormat: .newerVersion
        }
    }
}

extension RegistryError: AdvisedError {
    public var guidance: ErrorGuidance {
        if let store { return .caused(by: store) }
        return switch code {
        case .notRegistered: ErrorGuidance(.nothingFound, .bindAgain)
        case .unavailable: ErrorGuidance(.storageUnavailable, .tryLater(after: nil))
        case .conflict: ErrorGuidance(.changedMeanwhile, .tryAgain)
        case .full: .storageFull
        case .refused: .notPermitted
        case .corrupt:
            switch registry {
            case .profiles: .defect("profiles-corrupt", .damaged)
            case .userKeys: .defect("user-keys-corrupt", .damaged)
            case .biometricLogin: ErrorGuidance(.damaged, .signIn)
            }
        case .newerFormat: .newerVersion
        }
    }
}

extension DeviceKeyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch code {
        case .exists: .defect("key-exists", .alreadyThere)
        case .absent, .wrongAccess, .corrupt: ErrorGuidance(.keyLost, .bindAgain)
        case .unavailable: ErrorGuidance(.keyUnavailable, .tryLater(after: nil))
        case .full: .storageFull
        case .refused: .notPermitted
        case .newerFormat: .newerVersion
        case .notProvided: .defect("no-device-keys")
        }
    }

    /// The guidance if the error occurred while removing the key: repeating the call finishes the removal.
    var removalGuidance: ErrorGuidance {
        guidance.advice == .bindAgain ? ErrorGuidance(.keyUnavailable, .tryLater(after: nil)) : guidance
    }
}

extension BiometricError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .cancelled: .cancelled
        case .unavailable(.permissionDenied): ErrorGuidance(summary, .restoreAccess)
        case .pinChosen, .notRecognised, .unavailable, .enrolmentChanged, .interrupted, .corrupt, .failed:
            ErrorGuidance(summary, .askForPin)
        }
    }

    /// The guidance if the error occurred while setting up or removing biometrics.
    var setUpGuidance: ErrorGuidance {
        switch self {
        case .cancelled, .pinChosen: .cancelled
        case .unavailable(.permissionDenied), .unavailable(.notEnrolled), .unavailable(.noPasscode):
            ErrorGuidance(summary, .restoreAccess)
        case .unavailable(.noHardware): ErrorGuidance(.unsupported, .nothing)
        case .notRecognised, .unavailable, .enrolmentChanged, .interrupted, .corrupt, .failed:
            ErrorGuidance(summary, .tryLater(after: nil))
        }
    }

    private var summary: ErrorSummary {
        switch self {
        case .cancelled, .pinChosen: .cancelled
        case .notRecognised: .biometricsNotRecognised
        case .enrolmentChanged: .biometricsChanged
        case .interrupted: .biometricsInterrupted
        case .unavailable(.lockedOut): .biometricsLockedOut
        case .unavailable(.permissionDenied): .biometricsNotAllowed
        case .unavailable, .corrupt, .failed: .biometricsUnavailable
        }
    }
}

extension HTTPTransportError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .unreachable: ErrorGuidance(.unreachable, .checkNetwork)
        case .tooLarge: .defect("answer-too-large", .serviceFailed)
        case .cancelled: .cancelled
        }
    }
}

extension ErrorGuidance {
    static let cancelled = ErrorGuidance(.cancelled, .nothing)
    static let newerVersion = ErrorGuidance(.newerVersion, .updateApp)
    static let notPermitted = ErrorGuidance(.notPermitted, .restoreAccess)
    static let storageFull = ErrorGuidance(.storageFull, .freeSpace)
}
