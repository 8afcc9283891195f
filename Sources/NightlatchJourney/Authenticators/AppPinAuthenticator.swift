public import Foundation

/// Protects the key with an application PIN. The PIN unlocks a vault that contains the key's application password.
///
/// The vault charges each wrong PIN permanently, and its lockout policy applies.
public struct AppPinAuthenticator: DeviceAuthenticator {
    private let appPin: AppPinConfig?

    public init(config: AppPinConfig? = nil) {
        appPin = config
    }

    public func type() -> DeviceBindingAuthenticationType { .applicationPin }

    public var config: (any AuthenticatorConfig)? { appPin }
}

/// The settings for an application PIN.
public final class AppPinConfig: AuthenticatorConfig {
    static let defaultPinRetry = 3

    public var logger: (any JourneyLogger)?
    /// The texts for the user. Without any text, the server's texts are shown.
    public var prompt: Prompt
    /// The maximum number of PINs that the user may type in one call. The lockout policy still applies.
    public var pinRetry: Int
    public var keyTag: String
    /// The screen that asks for the PIN. Nil for the one of the call or the environment.
    public var pinCollector: (any PinCollector)?

    public init(
        logger: (any JourneyLogger)? = nil,
        prompt: Prompt = Prompt(title: "", subtitle: "", description: ""),
        pinRetry: Int = 3,
        keyTag: String = UUID().uuidString,
        pinCollector: (any PinCollector)? = nil
    ) {
        self.logger = logger
        self.prompt = prompt
        self.pinRetry = pinRetry
        self.keyTag = keyTag
        self.pinCollector = pinCollector
    }
}
