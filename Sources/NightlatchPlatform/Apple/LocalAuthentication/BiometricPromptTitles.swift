/// The buttons of the system's biometric prompt, in the user's language.
public struct BiometricPromptTitles: Hashable, Sendable {
    /// The button that leads to the PIN.
    ///
    /// The system shows it after biometrics failed. With `BiometricProtection.biometricsOrPasscode`, it shows its own
    /// button for the device's passcode instead.
    public let pin: String
    /// The button that cancels. Nil for the system's own text.
    public let cancel: String?

    /// Creates the texts of the buttons.
    ///
    /// - Parameters:
    ///   - pin: The button that leads to the PIN, such as "Enter PIN". Empty for no button.
    ///   - cancel: The button that cancels. Nil for the system's own text.
    public init(pin: String, cancel: String? = nil) {
        self.pin = pin
        self.cancel = cancel
    }
}
