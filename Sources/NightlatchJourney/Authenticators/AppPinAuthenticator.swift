/// An application PIN protects the key: it opens a vault in which the key's application password lies. A wrong PIN counts in the vault for
/// good, and the vault's lockout policy answers it.
public struct AppPinAuthenticator: DeviceAuthenticator {
    private let appPin: AppPinConfig?

    public init(config: AppPinConfig? = nil) {
        appPin = config
    }

    public func type() -> DeviceBindingAuthenticationType { .applicationPin }

    public var config: (any AuthenticatorConfig)? { appPin }
}

/// How an application PIN is asked for.
public struct AppPinConfig: AuthenticatorConfig {
    static let defaultPinRetry = 3

    public var logger: (any JourneyLogger)?
    /// What the person is told; nil for the server's words.
    public var prompt: Prompt?
    /// How often the person may type a PIN in one call. The lockout policy has the last word.
    public var pinRetry: Int
    public var keyTag: String?
    /// Who asks; nil for the call's or the environment's.
    public var pinCollector: (any PinCollector)?

    public init(
        logger: (any JourneyLogger)? = nil,
        prompt: Prompt? = nil,
        pinRetry: Int = 3,
        keyTag: String? = nil,
        pinCollector: (any PinCollector)? = nil
    ) {
        self.logger = logger
        self.prompt = prompt
        self.pinRetry = pinRetry
        self.keyTag = keyTag
        self.pinCollector = pinCollector
    }
}
