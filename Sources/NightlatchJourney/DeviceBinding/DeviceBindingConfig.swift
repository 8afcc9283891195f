public import Foundation

/// The settings of one call of `bind` or `sign`.
public final class DeviceBindingConfig {
    /// The device's name at the server: initially the environment's name. Only `bind` uses it.
    public var deviceName: String
    /// Not used; see ``UserKeyStorageConfig``.
    public var userKeyStorage = UserKeyStorageConfig()
    /// The time for the call, in seconds: initially the callback's timeout.
    public var timeout = 60
    /// The server's request for an attestation, which a ``DeviceAuthenticator`` gets.
    public var attestation = Attestation.none
    /// The protection of the key: initially the callback's. It may not be weaker. Only `bind` uses it.
    public var deviceBindingAuthenticationType = DeviceBindingAuthenticationType.none
    /// The app's claims to sign: texts, numbers, booleans, and arrays and dictionaries of these. The names `sub`,
    /// `exp`, `iat`, `nbf`, `iss` and `challenge` are refused.
    public var claims: [String: Any] = [:]
    /// The protection of the key, in place of the callback's. It may not be weaker. Only `bind` uses it, because a
    /// bound key keeps its protection.
    public var deviceAuthenticator: (any DeviceAuthenticator)?
    /// The settings of the authenticator for the callback's or the key's type.
    public var authenticatorConfig: (any AuthenticatorConfig)?
    /// The screen that asks for the PIN.
    public var pinCollector: (any PinCollector)?
    /// The screen that asks which key is to sign. Only `sign` uses it.
    public var userKeySelector: (any UserKeySelector)?
    /// Returns the message's time of issue.
    public var issueTime: () -> Date
    /// Returns the start of the message's validity.
    public var notBeforeTime: () -> Date
    /// Returns the end of the message's validity, for the callback's timeout in seconds.
    public var expirationTime: (Int) -> Date

    /// Creates settings with the defaults. `bind` and `sign` make their own.
    public convenience init() {
        self.init(deviceName: "Device", now: { Date() })
    }

    init(deviceName: String, now: @escaping @Sendable () -> Date) {
        self.deviceName = deviceName
        issueTime = now
        notBeforeTime = now
        expirationTime = { seconds in now().addingTimeInterval(TimeInterval(seconds)) }
    }
}
