/// What stands on the buttons of the system's biometric prompt, in the person's language.
public struct BiometricPromptTitles: Hashable, Sendable {
    /// The button that leads to the PIN. The system shows it once biometrics have failed; with
    /// `BiometricProtection.biometricsOrPasscode` never, since there the system's own button leads to the device's passcode.
    public let pin: String
    /// The button that cancels; nil for the system's own word.
    public let cancel: String?

    /// - Parameters:
    ///   - pin: The button that leads to the PIN, such as "Enter PIN"; empty to have none.
    ///   - cancel: The button that cancels; nil for the system's own word.
    public init(pin: String, cancel: String? = nil) {
        self.pin = pin
        self.cancel = cancel
    }
}
