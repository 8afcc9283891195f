/// What an `LAContext` is told, called as its properties are.
package struct ContextSettings: Hashable, Sendable {
    /// What a prompt says that comes when a key is used; nil for none.
    package var localizedReason: String?
    /// What stands on the fallback button: nil for the system's own words, empty for no button.
    package var localizedFallbackTitle: String?
    /// What stands on the button that cancels; nil for the system's own word.
    package var localizedCancelTitle: String?
    /// Whether what would need a person fails instead.
    package var interactionNotAllowed = false

    package init() {}

    /// Never asks a person.
    package static let silent: Self = {
        var settings = Self()
        settings.interactionNotAllowed = true
        return settings
    }()

    /// Asks a person, with the app's titles.
    ///
    /// Where the device's passcode is taken too, the fallback button leads to that and not to the app's PIN, so the system names it.
    package init(reason: String, titles: BiometricPromptTitles, policy: BiometryPolicy) {
        localizedReason = reason
        localizedCancelTitle = titles.cancel
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics: localizedFallbackTitle = titles.pin
        case .deviceOwnerAuthentication: localizedFallbackTitle = nil
        }
    }
}
