public import Foundation

/// Protects the key with biometrics. Only the faces and fingers that are enrolled at the binding release the key's
/// application password.
public struct BiometricOnlyAuthenticator: DeviceAuthenticator {
    private let biometric: BiometricAuthenticatorConfig?

    public init(config: BiometricAuthenticatorConfig? = nil) {
        biometric = config
    }

    public func type() -> DeviceBindingAuthenticationType { .biometricOnly }

    public var config: (any AuthenticatorConfig)? { biometric }
}

/// Protects the key with biometrics or the device's passcode. Either releases the key's application password.
public struct BiometricDeviceCredentialAuthenticator: DeviceAuthenticator {
    private let biometric: BiometricAuthenticatorConfig?

    public init(config: BiometricAuthenticatorConfig? = nil) {
        biometric = config
    }

    public func type() -> DeviceBindingAuthenticationType { .biometricAllowFallback }

    public var config: (any AuthenticatorConfig)? { biometric }
}

/// The settings for a key with biometric protection.
public final class BiometricAuthenticatorConfig: AuthenticatorConfig {
    public var logger: (any JourneyLogger)?
    public var keyTag: String

    public init(logger: (any JourneyLogger)? = nil, keyTag: String = UUID().uuidString) {
        self.logger = logger
        self.keyTag = keyTag
    }
}
