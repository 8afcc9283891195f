internal import Nightlatch

/// Why a device was not bound, or did not sign, in the words that servers and apps know.
public enum DeviceBindingStatus: Error, Hashable, Sendable {
    /// The time that the server gives was over.
    case timeout
    /// The person cancelled.
    case abort
    /// The device, or what the app brought, cannot do what is asked; with a reason, if there is more to say.
    case unsupported(String?)
    /// There is no key, or none that can ever sign again. Bind the device.
    case clientNotRegistered
    /// The person was not recognised, or the PIN was wrong or may not be tried or chosen.
    case unAuthorize
    /// The app's claims are not what may be signed.
    case invalidCustomClaims

    /// What happened, in the vendor's words. `text(in:)` says it in the app's language.
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

    /// What the server is told.
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
        case .unsupported: self = .unsupported(nil)
        case .biometrics(let error): self.init(error)
        case .tooManyKeys: self = .unsupported("The device has as many keys as it can keep.")
        case .textTooLong: self = .unsupported("A text from the server is too long.")
        case .key(let error): self = .unsupported("The key cannot be used: \(error).")
        case .vault(let error): self = .unsupported("What protects the key cannot be used: \(error).")
        case .keyDerivation: self = .unsupported("There is not enough memory to try a PIN.")
        case .registry(.store(let error)): self = .unsupported("The list of keys cannot be used: \(error).")
        case .registry(.corrupt): self = .unsupported("The list of keys is damaged.")
        case .registry(.newerFormat): self = .unsupported("The list of keys was written by a newer version.")
        // They are among those that need a binding.
        case .noKey, .superseded, .pinBlocked: self = .clientNotRegistered
        }
    }

    private init(_ error: BiometricError) {
        self =
            switch error {
            case .cancelled, .pinChosen, .interrupted: .abort
            case .denied, .unavailable(.lockedOut): .unAuthorize
            case .unavailable: .unsupported(nil)
            case .enrolmentChanged, .corrupt: .clientNotRegistered
            case .failed(let status): .unsupported("Biometrics failed with the system's status \(status).")
            }
    }

    /// What it comes to while a device is being bound: that there is no key yet is no reason to bind one.
    var whileBinding: Self { self == .clientNotRegistered ? .abort : self }
}
