/// Biometrics, those that are enrolled when the key is bound, release the key's application password, and nothing else does.
public struct BiometricOnlyAuthenticator: DeviceAuthenticator {
    private let biometric: BiometricAuthenticatorConfig?

    public init(config: BiometricAuthenticatorConfig? = nil) {
        biometric = config
    }

    public func type() -> DeviceBindingAuthenticationType { .biometricOnly }

    public var config: (any AuthenticatorConfig)? { biometric }
}

/// Biometrics or the device's passcode release the key's application password.
public struct BiometricDeviceCredentialAuthenticator: DeviceAuthenticator {
    private let biometric: BiometricAuthenticatorConfig?

    public init(config: BiometricAuthenticatorConfig? = nil) {
        biometric = config
    }

    public func type() -> DeviceBindingAuthenticationType { .biometricAllowFallback }

    public var config: (any AuthenticatorConfig)? { biometric }
}

/// How a key is called that biometrics protect.
public struct BiometricAuthenticatorConfig: AuthenticatorConfig {
    public var logger: (any JourneyLogger)?
    public var keyTag: String?

    public init(logger: (any JourneyLogger)? = nil, keyTag: String? = nil) {
        self.logger = logger
        self.keyTag = keyTag
    }
}
