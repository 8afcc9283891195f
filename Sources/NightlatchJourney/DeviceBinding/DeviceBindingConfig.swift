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
    /// The screen that asks which key is to sign: initially that of the environment. Only `sign` uses it.
    public var userKeySelector: any UserKeySelector {
        didSet { chosenKeySelector = userKeySelector }
    }
    /// Returns the message's time of issue: initially the current time. If it is set, the ``deviceAuthenticator`` is
    /// not asked for this time.
    public var issueTime: () -> Date {
        didSet { isIssueTimeChosen = true }
    }
    /// Returns the start of the message's validity: initially the current time. If it is set, the
    /// ``deviceAuthenticator`` is not asked for this time.
    public var notBeforeTime: () -> Date {
        didSet { isNotBeforeTimeChosen = true }
    }
    /// Returns the end of the message's validity, for ``timeout`` limited to 1 second to 24 hours.
    public var expirationTime: (Int) -> Date

    /// The screen for keys that the app has set. Nil if it has set none.
    private(set) var chosenKeySelector: (any UserKeySelector)?
    private(set) var isIssueTimeChosen = false
    private(set) var isNotBeforeTimeChosen = false

    /// Creates settings with the defaults. `bind` and `sign` make their own.
    public convenience init() {
        self.init(deviceName: "Device", now: { Date() })
    }

    init(
        deviceName: String,
        now: @escaping @Sendable () -> Date,
        userInterface: BindingUserInterface = BindingUserInterface()
    ) {
        self.deviceName = deviceName
        userKeySelector = DefaultKeySelector(userInterface: userInterface)
        issueTime = now
        notBeforeTime = now
        expirationTime = { seconds in now().addingTimeInterval(TimeInterval(seconds)) }
    }
}

/// Asks through the environment's screen.
private struct DefaultKeySelector: UserKeySelector {
    let userInterface: BindingUserInterface

    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey? {
        await userInterface.selectKey?(userKeys, prompt)
    }
}
