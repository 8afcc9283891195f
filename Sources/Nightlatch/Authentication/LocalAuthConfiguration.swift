/// The settings for how an app asks the user to unlock.
public struct LocalAuthConfiguration: Hashable, Sendable {
    /// The authenticators that the user is asked for, in order.
    public var order: AuthenticatorOrder
    /// The next step when the user cancels the system's biometric prompt.
    public var cancelledBiometrics: CancelledBiometrics
    /// Whether the PIN prompt is shown during a wait, with the time that is left. If false, the wait ends the call, as
    /// ``UnlockOutcome/waiting(_:triesLeft:)``.
    public var showsWaits: Bool

    public init(
        order: AuthenticatorOrder = .preferred,
        cancelledBiometrics: CancelledBiometrics = .askForPin,
        showsWaits: Bool = true
    ) {
        self.order = order
        self.cancelledBiometrics = cancelledBiometrics
        self.showsWaits = showsWaits
    }
}

/// The authenticators that the user is asked for, in order. In every order the PIN is the fallback.
public enum AuthenticatorOrder: Hashable, Sendable, CaseIterable {
    /// The user's preferred authenticator comes first (``Profile/preferredAuthenticator``).
    case preferred
    /// Biometrics come first, whatever the user prefers.
    case biometricsFirst
    /// The PIN comes first, whatever the user prefers. The user may choose biometrics at the PIN prompt.
    case pinFirst
    /// Only the PIN is asked for. Use this for actions for which biometrics are not enough.
    case pinOnly
}

/// The next step when the user cancels the system's biometric prompt.
public enum CancelledBiometrics: Hashable, Sendable, CaseIterable {
    /// The PIN prompt is shown.
    ///
    /// The system shows its own button for the PIN only after a failed attempt, so users cancel to get to their PIN. If
    /// they cancel the PIN prompt too, the unlock ends.
    case askForPin
    /// The unlock ends as cancelled.
    case end
}
