public import Foundation
public import Nightlatch
public import NightlatchWire

/// The device's services for device binding: the stores, the keys and the screens.
///
/// ```swift
/// let environment = DeviceBindingEnvironment(
///     applicationID: "com.example.app", registry: KeychainStore(service: service, account: "user-keys"),
///     deviceKeys: SecureEnclaveKeys(service: service), clock: SystemLockoutClock(),
///     vault: { tag in
///         Vault(store: KeychainStore(service: service, account: "vault.\(tag)"), clock: SystemLockoutClock())
///     },
///     biometrics: { tag, protection in
///         SecureEnclaveBiometricKeyring(
///             vault: "\(tag)", service: service, protection: protection, titles: BiometricPromptTitles(pin: ""))
///     })
/// ```
///
/// The example is for Apple systems. On Linux, use `FileStore` with `SoftwareDeviceKeys` or with the keys of a TPM.
///
/// Make one environment for the app and pass it to every ``Journey``. A binding with another environment on the same
/// registry removes the keys that this one has made and not yet sent.
public struct DeviceBindingEnvironment: Sendable {
    let applicationID: String
    let clock: any LockoutClock
    /// The device's name at servers, unless a call of `bind` sets another.
    public var deviceName = "Device"
    /// The screens for calls without their own.
    public var userInterface = BindingUserInterface()
    /// Returns the current time, for the dates in messages.
    public var now: @Sendable () -> Date = { Date() }
    let keys: UserKeys

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - applicationID: The server's name for the app: its bundle identifier.
    ///   - registry: The store for the list of keys. Only this environment may use it. It contains no secrets.
    ///   - deviceKeys: The device's keys, in hardware if possible.
    ///   - clock: The clock for timeouts, and for waits after wrong PINs. The user must not be able to set it forward.
    ///   - vault: Returns the vault for the application PIN of the key with this tag. The same tag must give the same
    ///     vault. The vault's policies apply to new and wrong PINs.
    ///   - biometrics: Returns the keyring for the key with this tag. The same tag must give the same keyring. Nil if
    ///     the device does not support the protection.
    public init(
        applicationID: String,
        registry: any SecureStore,
        deviceKeys: any DeviceKeys,
        clock: any LockoutClock,
        vault: @escaping @Sendable (KeyTag) -> Vault,
        biometrics: @escaping @Sendable (KeyTag, BiometricProtection) -> (any BiometricKeyring)? = { _, _ in nil }
    ) {
        self.applicationID = applicationID
        self.clock = clock
        keys = UserKeys(store: registry, deviceKeys: deviceKeys, vault: vault) { tag, protection in
            switch protection {
            case .biometrics: biometrics(tag, .biometricsOnly)
            case .biometricsOrPasscode: biometrics(tag, .biometricsOrPasscode)
            case .none, .pin: nil
            }
        }
    }
}

/// The app's screens for calls of `bind` and `sign` without their own.
///
/// If neither the call nor this value has a screen for a question, the call ends as not supported. Without
/// ``approveSigning``, a text is signed without asking.
public struct BindingUserInterface: Sendable {
    /// Asks for a PIN on a pad, so that the digits never become a text. Returns nil if the user cancels. If both this
    /// and ``collectPin`` are set, this is used.
    public var enterPin: (@Sendable (Prompt) async -> PinBox?)?
    /// Asks again after a wrong PIN. The closure gets the number of attempts left, and its pad must show this number.
    /// If this is not set, ``enterPin`` asks, with the number in the prompt's description.
    public var enterPinAgain: (@Sendable (_ prompt: Prompt, _ triesLeft: Int) async -> PinBox?)?
    /// Asks twice for a new PIN under a policy and compares. Returns nil if the user cancels. If this is not set,
    /// ``enterPin`` asks once.
    public var choosePin: (@Sendable (PinPolicy, Prompt) async -> PinBox?)?
    /// Asks for a PIN. Returns nil if the user cancels.
    public var collectPin: (@Sendable (Prompt) async -> String?)?
    /// Asks which key is to sign. Returns nil if the user cancels.
    public var selectKey: (@Sendable ([UserKey], Prompt) async -> UserKey?)?
    /// Shows the text to sign and the app's claims, and asks for approval.
    ///
    /// It is called before the key is released, whatever its protection. It is not called for a random challenge
    /// without claims. If this is not set, the app itself must show what the user signs.
    public var approveSigning: (@Sendable (SigningContent) async -> Bool)?

    public init(
        enterPin: (@Sendable (Prompt) async -> PinBox?)? = nil,
        enterPinAgain: (@Sendable (_ prompt: Prompt, _ triesLeft: Int) async -> PinBox?)? = nil,
        choosePin: (@Sendable (PinPolicy, Prompt) async -> PinBox?)? = nil,
        collectPin: (@Sendable (Prompt) async -> String?)? = nil,
        selectKey: (@Sendable ([UserKey], Prompt) async -> UserKey?)? = nil,
        approveSigning: (@Sendable (SigningContent) async -> Bool)? = nil
    ) {
        self.enterPin = enterPin
        self.enterPinAgain = enterPinAgain
        self.choosePin = choosePin
        self.collectPin = collectPin
        self.selectKey = selectKey
        self.approveSigning = approveSigning
    }
}
