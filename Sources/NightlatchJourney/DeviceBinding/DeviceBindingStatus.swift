internal import Nightlatch

/// The reason why a device was not bound or did not sign, in the vendor's terms.
public enum DeviceBindingStatus: Error, Hashable, Sendable {
    /// The server's timeout passed.
    case timeout
    /// The user cancelled.
    case abort
    /// The device or the app cannot do what the server requests. The text may give a reason.
    case unsupported(errorMessage: String?)
    /// There is no key, or none that can ever sign again. Bind the device.
    case clientNotRegistered
    /// The user was not recognised, or the PIN was wrong, blocked by a wait, or refused by the policy.
    case unAuthorize
    /// The app's claims may not be signed.
    case invalidCustomClaims

    /// A description in the vendor's words. `text(in:)` returns one in the app's language.
    public var errorMessage: String {
        switch self {
        case .timeout: "Authentication Timeout"
        case .abort: "User Terminates the Authentication"
        case .unsupported(let reason):
            reason ?? "Device not supported. Please verify the biometric or Pin settings"
        case .clientNotRegistered: "PublicKey or PrivateKey Not found in Device"
        case .unAuthorize: "Invalid Credentials"
        case .invalidCustomClaims: "Invalid Custom Claims"
        }
    }

    /// The value for the server.
    public var clientError: String {
        switch self {
        case .timeout: "Timeout"
        case .abort, .unAuthorize, .invalidCustomClaims: "Abort"
        case .unsupported: "Unsupported"
        case .clientNotRegistered: "ClientNotRegistered"
        }
    }
}

extension DeviceBindingStatus {
    init(_ error: UserKeyError) {
        switch error {
        case _ where error.needsBinding: self = .clientNotRegistered
        case .cancelled: self = .abort
        case .timedOut: self = .timeout
        case .wrongPin, .pinWaiting, .pinRefused, .noPin: self = .unAuthorize
        case .unsupported: self = .unsupported(errorMessage: nil)
        case .biometrics(let error): self.init(error)
        case .tooManyKeys: self = .unsupported(errorMessage: "The device has the maximum number of keys.")
        case .textTooLong: self = .unsupported(errorMessage: "A text from the server is too long.")
        case .key(let error): self = .unsupported(errorMessage: "The key cannot be used: \(error).")
        case .vault(let error) where error.code == .notPrepared || error.code == .keyDerivation:
            self = .unsupported(errorMessage: "There is not enough memory to test a PIN.")
        case .vault(let error): self = .unsupported(errorMessage: "The protection of the key cannot be used: \(error).")
        case .registry(let error):
            switch error.code {
            case _ where error.cause != nil:
                self = .unsupported(errorMessage: "The list of keys cannot be used: \(error).")
            case .corrupt: self = .unsupported(errorMessage: "The list of keys is damaged.")
            case .newerFormat: self = .unsupported(errorMessage: "A newer version of the app wrote the list of keys.")
            case .notRegistered, .unavailable, .conflict, .full, .refused:
                self = .unsupported(errorMessage: "The list of keys cannot be used: \(error).")
            }
        // These errors need a binding, which the first case handles.
        case .noKey, .superseded, .pinBlocked: self = .clientNotRegistered
        }
    }

    private init(_ error: BiometricError) {
        self =
            switch error {
            case .cancelled, .pinChosen, .interrupted: .abort
            case .notRecognised, .unavailable(.lockedOut): .unAuthorize
            case .unavailable: .unsupported(errorMessage: nil)
            case .enrolmentChanged, .corrupt: .clientNotRegistered
            case .failed(let status):
                .unsupported(errorMessage: "Biometrics failed with the system's status \(status).")
            }
    }

    /// The status during a binding. A missing key is then not a reason to bind the device.
    var whileBinding: Self { self == .clientNotRegistered ? .abort : self }
}
