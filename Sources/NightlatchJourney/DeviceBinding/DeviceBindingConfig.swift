public import Foundation

/// How one call of `bind` or `sign` differs from the environment.
public final class DeviceBindingConfig {
    /// What the server calls the device from now on; nil for the environment's name. Only `bind` uses it.
    public var deviceName: String?
    /// What the app wants signed along: texts, numbers, booleans, arrays and dictionaries of them. The names `sub`, `exp`, `iat`, `nbf`, `iss`
    /// and `challenge` are refused.
    public var claims: [String: Any] = [:]
    /// What protects the key, in the place of what the callback asks for. Weaker than that it may not be. Only `bind` uses it: a key
    /// stays protected as it was bound.
    public var deviceAuthenticator: (any DeviceAuthenticator)?
    /// How the authenticator is to behave that the callback's or the key's type chooses.
    public var authenticatorConfig: (any AuthenticatorConfig)?
    /// Who asks for the PIN.
    public var pinCollector: (any PinCollector)?
    /// Who asks which key is to sign. Only `sign` uses it.
    public var userKeySelector: (any UserKeySelector)?
    /// The time of issue, and of the beginning, that the message carries.
    public var issueTime: () -> Date
    public var notBeforeTime: () -> Date
    /// The time of the end, for the seconds that the callback gives.
    public var expirationTime: (Int) -> Date

    init(now: @escaping @Sendable () -> Date) {
        issueTime = now
        notBeforeTime = now
        expirationTime = { seconds in now().addingTimeInterval(TimeInterval(seconds)) }
    }
}
