/// The protection of a key: its type and its settings.
///
/// This module implements the protection of each type. An app chooses a type, and may declare it unsupported on this
/// device.
public protocol DeviceAuthenticator {
    func type() -> DeviceBindingAuthenticationType
    /// Whether this protection may be used on this device. The device itself must support it too.
    func isSupported(attestation: Attestation) -> Bool
    /// The settings, if the app has any.
    var config: (any AuthenticatorConfig)? { get }
}

extension DeviceAuthenticator {
    public func isSupported(attestation: Attestation) -> Bool { true }
    public var config: (any AuthenticatorConfig)? { nil }
}

/// The settings of an authenticator.
public protocol AuthenticatorConfig {
    /// The logger for errors of a call. Nil for the journey's logger.
    var logger: (any JourneyLogger)? { get }
    /// The app's name for the key, ``UserKey/keyTag``: initially a new UUID.
    ///
    /// It never leaves the device. No key is found, replaced or overwritten by this name.
    var keyTag: String { get }
}

extension DeviceBindingAuthenticationType {
    /// The authenticator for keys of this type. Nil for an unknown type.
    func authenticator(_ config: (any AuthenticatorConfig)?) -> (any DeviceAuthenticator)? {
        switch self {
        case .none: NoneAuthenticator()
        case .biometricOnly: BiometricOnlyAuthenticator(config: config as? BiometricAuthenticatorConfig)
        case .biometricAllowFallback:
            BiometricDeviceCredentialAuthenticator(config: config as? BiometricAuthenticatorConfig)
        case .applicationPin: AppPinAuthenticator(config: config as? AppPinConfig)
        case .unknown: nil
        }
    }
}
