/// Settings of an `LAContext`, with the names of its properties.
package struct ContextSettings: Hashable, Sendable {
    /// The text of a prompt that appears when a key is used. Nil for none.
    package var localizedReason: String?
    /// The title of the fallback button. Nil for the system's own text, empty for no button.
    package var localizedFallbackTitle: String?
    /// The title of the cancel button. Nil for the system's own text.
    package var localizedCancelTitle: String?
    /// Whether calls that need the user fail instead of asking.
    package var interactionNotAllowed = false

    package init() {}

    /// Settings that never ask a user.
    package static let silent: Self = {
        var settings = Self()
        settings.interactionNotAllowed = true
        return settings
    }()

    /// Creates settings that ask a user, with the app's titles.
    ///
    /// If the policy also accepts the device's passcode, the fallback button leads to that passcode instead of the
    /// app's PIN. In that case, the system chooses the button's title.
    package init(reason: String, titles: BiometricPromptTitles, policy: BiometryPolicy) {
        localizedReason = reason
        localizedCancelTitle = titles.cancel
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics: localizedFallbackTitle = titles.pin
        case .deviceOwnerAuthentication: localizedFallbackTitle = nil
        }
    }
}
