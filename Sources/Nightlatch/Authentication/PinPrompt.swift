/// Asks a person for a PIN: a PIN pad, a terminal, a script.
///
/// The library makes each challenge and asks again after a wrong PIN, so a prompt shows one challenge and returns one answer. It
/// decides nothing and keeps nothing: what was wrong, how many tries are left and how long to wait stand in the challenge.
///
/// A prompt whose task is cancelled takes its screen away and answers that the person cancelled.
public protocol PinPrompt: Sendable {
    /// Asks for the PIN that the profile has.
    ///
    /// While ``PinChallenge/wait`` is left, no PIN is tried: show the time that is left, and take a PIN afterwards. A PIN that is
    /// answered too soon is not counted; the person is asked again with what is left.
    func enterPin(_ challenge: PinChallenge) async -> PinAnswer

    /// Asks for a new PIN. A prompt that has it typed twice compares the two itself (``Pin/isEqual(to:)``), and answers once with
    /// the PIN that both are.
    func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer
}

/// A person's answer to a ``PinChallenge``.
public enum PinAnswer: Sendable {
    /// What was typed. It may still be wrong.
    case pin(PinBox)
    /// The person wants to go back. It counts as no attempt and is no failure.
    case cancelled
    /// The person has forgotten the PIN and gives it up, for good: what the lockout policy does at its limit is done now. Ask
    /// whether they are sure before this is answered.
    case forgotten
    /// The person would rather use biometrics. Where ``PinChallenge/offersBiometrics`` is false the PIN is asked for again.
    case biometrics
}

/// A person's answer to a ``CreatePinChallenge``.
public enum CreatePinAnswer: Sendable {
    /// The PIN they chose. It may still be refused.
    case pin(PinBox)
    /// The person wants to go back. Nothing is changed.
    case cancelled
}
