public import Foundation
public import Nightlatch
public import NightlatchWire

/// What device binding needs of the device: where keys and what is known of them lie, and who shows what to the person.
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
/// These are for Apple systems; on Linux there are `FileStore`, and `SoftwareDeviceKeys` or the keys of a TPM.
///
/// Make one for the app and give it to every ``Journey``: a binding with another one over the same registry removes the keys that this one has made and
/// not yet sent.
public struct DeviceBindingEnvironment: Sendable {
    let applicationID: String
    let clock: any LockoutClock
    let deviceName: String
    let userInterface: BindingUserInterface
    let now: @Sendable () -> Date
    let keys: UserKeys

    /// - Parameters:
    ///   - applicationID: What the server knows the app by: its bundle identifier.
    ///   - registry: Where it lies which keys there are; the environment's alone. It holds nothing secret.
    ///   - deviceKeys: The device's keys: in hardware where there is some.
    ///   - clock: What timeouts are measured by, and waits after wrong PINs. A person must not be able to set it forward.
    ///   - vault: The vault for the application PIN of the key under a tag, the same for the same tag. Its policies say which PINs may be
    ///     chosen and how wrong ones are answered.
    ///   - biometrics: The keyring for the key under a tag, the same for the same tag; nil if the device cannot protect a key so.
    ///   - deviceName: What servers call the device unless a call of `bind` says otherwise.
    ///   - userInterface: Who asks where a call brings nobody.
    ///   - now: The time that messages are dated by.
    public init(
        applicationID: String,
        registry: any SecureStore,
        deviceKeys: any DeviceKeys,
        clock: any LockoutClock,
        vault: @escaping @Sendable (KeyTag) -> Vault,
        biometrics: @escaping @Sendable (KeyTag, BiometricProtection) -> (any BiometricKeyring)? = { _, _ in nil },
        deviceName: String = "Device",
        userInterface: BindingUserInterface = BindingUserInterface(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.applicationID = applicationID
        self.clock = clock
        self.deviceName = deviceName
        self.userInterface = userInterface
        self.now = now
        keys = UserKeys(store: registry, deviceKeys: deviceKeys, vault: vault) { tag, protection in
            switch protection {
            case .biometrics: biometrics(tag, .biometricsOnly)
            case .biometricsOrPasscode: biometrics(tag, .biometricsOrPasscode)
            case .none, .pin: nil
            }
        }
    }
}

/// Who asks the person where a call of `bind` or `sign` brings nobody: the app's own screens. Where neither brings anybody, what needs a
/// person is answered as not supported; but without ``approveSigning`` a text is signed unasked.
public struct BindingUserInterface: Sendable {
    /// Asks for a PIN on a pad, whose digits never become a text; nil if the person cancels. It comes before ``collectPin``.
    public var enterPin: (@Sendable (Prompt) async -> PinBox?)?
    /// Asks once more after a wrong PIN, of which so many may still be tried, on a pad that tells so by itself. Without it ``enterPin`` is
    /// asked, and the prompt's description tells.
    public var enterPinAgain: (@Sendable (_ prompt: Prompt, _ triesLeft: Int) async -> PinBox?)?
    /// Asks for a new PIN under a policy, on a pad that asks twice and compares; nil if the person cancels. Without it ``enterPin`` is asked,
    /// once.
    public var choosePin: (@Sendable (PinPolicy, Prompt) async -> PinBox?)?
    /// Asks for a PIN; nil if the person cancels.
    public var collectPin: (@Sendable (Prompt) async -> String?)?
    /// Asks which key is to sign; nil if the person cancels.
    public var selectKey: (@Sendable ([UserKey], Prompt) async -> UserKey?)?
    /// Shows the text that is about to be signed, and the app's claims, and asks whether they may be: before the key is released,
    /// whatever protects it. It is not asked where the challenge is random and there are no claims. Without it the app itself must show what its person
    /// signs.
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
