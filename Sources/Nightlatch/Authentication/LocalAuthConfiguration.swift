/// The configuration of how an app asks a person to unlock.
public struct LocalAuthConfiguration: Hashable, Sendable {
    /// The authenticators that the person is asked for, in order.
    public var order: AuthenticatorOrder
    /// The next step when the person cancels the system's biometric prompt.
    public var cancelledBiometrics: CancelledBiometrics
    /// Whether the PIN prompt is shown during a wait, with the time that is left. If false, the wait is the outcome.
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

/// The authenticators that the person is asked for, in order. In every order the PIN is the fallback.
public enum AuthenticatorOrder: Hashable, Sendable, CaseIterable {
    /// The person's preferred authenticator comes first (``Profile/preferredAuthenticator``).
    case preferred
    /// Biometrics come first, whatever the person prefers.
    case biometricsFirst
    /// The PIN comes first, whatever the person prefers. The person may choose biometrics at the PIN prompt.
    case pinFirst
    /// Only the PIN, for actions that biometrics are not enough for.
    case pinOnly
}

/// The next step when the person cancels the system's biometric prompt.
public enum CancelledBiometrics: Hashable, Sendable, CaseIterable {
    /// The PIN prompt is shown.
    ///
    /// The system shows its own button for the PIN only after a failed attempt, so people cancel to get to their PIN.
    /// If they cancel the PIN prompt too, the unlock ends.
    case askForPin
    /// The unlock ends as cancelled.
    case end
}
