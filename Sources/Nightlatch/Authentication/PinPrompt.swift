/// Asks the user for a PIN, for example on a PIN pad, in a terminal or from a script.
///
/// A prompt shows one challenge and returns one answer. The library makes each challenge, and asks again after a wrong
/// PIN. The challenge contains the last refusal, the attempts left and the time to wait, so a prompt decides nothing
/// and keeps no state.
///
/// When its task is cancelled, a prompt removes its screen and answers that the user cancelled.
public protocol PinPrompt: Sendable {
    /// Asks for the profile's current PIN.
    ///
    /// While there is a ``PinChallenge/Attempts/wait``, no PIN is tried: show the time that is left, and take a PIN
    /// afterwards. A PIN that is returned too early is not counted; the user is asked again, with the time that is
    /// left.
    func enterPin(_ challenge: PinChallenge) async -> PinAnswer

    /// Asks for a new PIN.
    ///
    /// A prompt that lets the user type the PIN twice compares the two itself (``Pin/isEqual(to:)``), and answers
    /// once, when they are equal. It can refuse the first one by ``CreatePinChallenge/objections(to:)``.
    func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer
}

/// The user's answer to a ``PinChallenge``.
public enum PinAnswer: Sendable {
    /// The user typed a PIN. It may be wrong.
    case pin(PinBox)
    /// The user cancelled. This is neither an attempt nor an error.
    case cancelled
    /// The user has forgotten the PIN and gives it up for good.
    ///
    /// The lockout policy then acts as it does at its limit. Ask the user to confirm before you return this.
    case forgotten
    /// The user prefers to use biometrics. If ``PinChallenge/offersBiometrics`` is false, the PIN is asked for again.
    case biometrics
}

/// The user's answer to a ``CreatePinChallenge``.
public enum CreatePinAnswer: Sendable {
    /// The user chose a PIN. The policy may refuse it.
    case pin(PinBox)
    /// The user cancelled. Nothing is changed.
    case cancelled
}
