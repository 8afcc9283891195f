public import NightlatchWire

/// An error that occurs while enabling, using or disabling biometric login.
///
/// The code is the step that failed, and the ``cause`` is the step's error. Two errors are equal if their codes and
/// their causes are equal.
public struct BiometricLoginError: Error, Sendable {
    public let code: Code
    private let part: (any AdvisedError & Hashable)?

    public var cause: (any AdvisedError)? { part }

    private init(_ code: Code, _ part: (any AdvisedError & Hashable)? = nil) {
        self.code = code
        self.part = part
    }

    public enum Code: Hashable, Sendable {
        /// Biometric login is not enabled on this device, or no longer. Offer to enable it.
        case notEnabled
        /// Another account of this device has biometric login; nil if its user is not known yet. Disable it for that
        /// account first.
        case enabledForAnother(UserID?)
        /// The record of biometric login could not be read or written. The cause is a ``RegistryError``.
        case record
        /// The vault's biometrics could not be set up. The cause is a ``BiometricSetupError``. The keys stay: call
        /// ``BiometricLogin/enable(_:code:deviceName:)`` again, unless the policy does not allow biometrics.
        case setUp
        /// Biometrics did not open the vault. The cause is a ``BiometricUnlockError``. No request was sent to the
        /// relying party. Use full credentials or the PIN instead.
        case unlock
        /// The device was not bound. The cause is a ``BindingError``. Call again with the same code, unless it was
        /// refused.
        case binding
        /// The login failed. The cause is a ``LoginError``. With ``LoginError/revoked`` the keys are gone from this
        /// device, and biometric login is disabled.
        case login
        /// The relying party did not confirm that it revoked the device. The cause is a ``SessionError``. The keys
        /// stay: call ``BiometricLogin/disable(_:)`` again.
        case revocation
        /// A request that is still on its way may bind the keys during this time. The keys stay: call
        /// ``BiometricLogin/disable(_:)`` again after that time.
        case bindingUndecided(wait: Duration)
        /// The relying party has no device left that could log in, but this device still has a key. The cause is a
        /// ``ForgetBindingError``. Call ``BiometricLogin/disable(_:)`` again.
        case removal
        /// The vault could not be used. The cause is a ``VaultError``.
        case vault
    }
}

extension BiometricLoginError {
    public static let notEnabled = BiometricLoginError(.notEnabled)

    public static func enabledForAnother(_ user: UserID?) -> BiometricLoginError {
        BiometricLoginError(.enabledForAnother(user))
    }

    public static func record(_ error: RegistryError) -> BiometricLoginError { BiometricLoginError(.record, error) }

    public static func setUp(_ error: BiometricSetupError) -> BiometricLoginError { BiometricLoginError(.setUp, error) }

    public static func unlock(_ error: BiometricUnlockError) -> BiometricLoginError {
        BiometricLoginError(.unlock, error)
    }

    public static func binding(_ error: BindingError) -> BiometricLoginError { BiometricLoginError(.binding, error) }

    public static func login(_ error: LoginError) -> BiometricLoginError { BiometricLoginError(.login, error) }

    public static func revocation(_ error: SessionError) -> BiometricLoginError {
        BiometricLoginError(.revocation, error)
    }

    public static func bindingUndecided(wait: Duration) -> BiometricLoginError {
        BiometricLoginError(.bindingUndecided(wait: wait))
    }

    public static func removal(_ error: ForgetBindingError) -> BiometricLoginError {
        BiometricLoginError(.removal, error)
    }

    public static func vault(_ error: VaultError) -> BiometricLoginError { BiometricLoginError(.vault, error) }
}

extension BiometricLoginError: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.part.map { AnyHashable($0) } == right.part.map { AnyHashable($0) }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension BiometricLoginError: CustomStringConvertible {
    public var description: String { part.map { "\(code)(\($0))" } ?? "\(code)" }
}
