/// How an app wants a person to be asked.
public struct LocalAuthConfiguration: Hashable, Sendable {
    /// What is asked for, and in which order.
    public var order: AuthenticatorOrder
    /// What follows when the person cancels the system's biometric prompt.
    public var cancelledBiometrics: CancelledBiometrics
    /// Whether the PIN prompt is shown while there is a wait, with the time that is left; if not, the wait is the outcome.
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

/// What is asked for, and in which order. Whatever comes first, the PIN is what everything falls back to.
public enum AuthenticatorOrder: Hashable, Sendable, CaseIterable {
    /// What the person prefers comes first (``Profile/preferredAuthenticator``).
    case preferred
    /// Biometrics come first, whatever the person prefers.
    case biometricsFirst
    /// The PIN comes first, whatever the person prefers. The person may choose biometrics at the PIN prompt.
    case pinFirst
    /// Nothing but the PIN, for what biometrics are not enough for.
    case pinOnly
}

/// What follows when a person cancels the system's biometric prompt.
public enum CancelledBiometrics: Hashable, Sendable, CaseIterable {
    /// The PIN is asked for. The system shows its own button for that only after a failure, so cancelling is how people get to their
    /// PIN; a second cancel, there, ends it.
    case askForPin
    /// That was all: the outcome is that the person cancelled.
    case end
}
