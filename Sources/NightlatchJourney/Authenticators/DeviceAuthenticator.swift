/// What protects a key: which kind, and how it is to behave.
///
/// What is done for each kind is done by this module, in one way: an app chooses among the kinds, and may say that one is not to be
/// had on this device.
public protocol DeviceAuthenticator {
    func type() -> DeviceBindingAuthenticationType
    /// Whether a key may be protected so on this device. It is asked beside what the device itself says.
    func isSupported(attestation: Attestation) -> Bool
    /// How it is to behave, if the app says.
    var config: (any AuthenticatorConfig)? { get }
}

extension DeviceAuthenticator {
    public func isSupported(attestation: Attestation) -> Bool { true }
    public var config: (any AuthenticatorConfig)? { nil }
}

/// How an authenticator is to behave.
public protocol AuthenticatorConfig {
    /// Who is told why a call has failed; nil for the journey's.
    var logger: (any JourneyLogger)? { get }
    /// What the app calls the key, in ``UserKey/keyTag``; nil for no name of the app's own. It never leaves the device, and a key is
    /// never found, replaced or overwritten by it.
    var keyTag: String? { get }
}

extension DeviceBindingAuthenticationType {
    /// What protects a key of this type; nil for a type that is not known.
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
