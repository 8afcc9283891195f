public import Nightlatch

/// An event that a pad handles.
public enum PinPadEvent: Sendable {
    /// The library asks for the profile's PIN.
    case ask(PinChallenge, PinPadOrder)
    /// The library asks for a new PIN.
    case askNew(CreatePinChallenge, PinPadOrder)
    /// The app asks for a PIN of unknown length, for this reason. `after` is the result of the previous attempt.
    case collect(reason: String, after: PinPadDisplay.Message?, PinPadOrder)
    /// The app asks for a new PIN under this policy, without a profile.
    case collectNew(PinPolicy, PinPadOrder)
    /// The user pressed a key. Hidden and disabled keys have no effect, except digits while a PIN is tried: the pad
    /// keeps them for the next question.
    case press(PinPadKey)
    /// The user pressed a key before the next question was drawn. The pad keeps a digit, deletes one for `delete`, and
    /// ignores other keys.
    case typeAhead(PinPadKey)
    /// Time passed since the last event of this kind, or since the question.
    case pass(Duration)
    /// The user left the app. The pad discards the typed digits, begins a new PIN again, and keeps the question.
    case clear
    /// The caller no longer waits for an answer.
    case withdraw
    /// The library's call ended.
    case end(PinPadEnd)
}

/// The end of an unlock or a PIN change, as a pad shows it.
public enum PinPadEnd: Hashable, Sendable {
    case unlocked
    /// The new PIN is set.
    case pinSet
    case cancelled
    /// PINs can no longer unlock the vault.
    case blocked(Unblocking)
    /// The vault and everything in it is erased.
    case erased
    /// The vault cannot be found now. Nothing was removed.
    case missing
    /// The attempt could not be carried out, because of the store or the memory. The result for the PIN is unknown.
    case failed
}

/// An effect that the owner of a pad carries out.
public enum PinPadEffect: Sendable {
    /// The answer to ``PinPadEvent/ask(_:_:)`` or ``PinPadEvent/collect(reason:after:_:)``. Each event gets at most
    /// one.
    case answer(PinAnswer)
    /// The answer to ``PinPadEvent/askNew(_:_:)`` or ``PinPadEvent/collectNew(_:_:)``. Each event gets at most one.
    case answerNew(CreatePinAnswer)
    /// Feedback for the user.
    case feel(PinPadFeedback)
}

/// Feedback that a user notices: vibration, movement or sound.
public enum PinPadFeedback: Hashable, Sendable {
    /// The pad accepted a key.
    case key
    /// The input is wrong or refused, or the two new PINs differ.
    case wrong
    case success
}
