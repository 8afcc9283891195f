public import Nightlatch

/// What happens to a pad.
public enum PinPadEvent: Sendable {
    /// The library asks for the PIN that the profile has.
    case ask(PinChallenge, PinPadOrder)
    /// The library asks for a new PIN.
    case askNew(CreatePinChallenge, PinPadOrder)
    /// Somebody asks for a PIN, for this reason, who knows nothing else about it: neither how long it is nor how many tries are left.
    case collect(reason: String, PinPadOrder)
    /// The person pressed a key. One that the pad does not show, or shows as not to be pressed, does nothing.
    case press(PinPadKey)
    /// Time has passed since the last event of this kind, or since the pad was asked.
    case pass(Duration)
    /// Whoever asked does not wait for an answer any more.
    case withdraw
    /// The library has said how it ended.
    case end(PinPadEnd)
}

/// How an unlocking or a change of PIN ended, as a pad shows it.
public enum PinPadEnd: Hashable, Sendable {
    case unlocked
    /// The new PIN is set.
    case pinSet
    case cancelled
    /// No PIN opens the vault any more.
    case blocked(Unblocking)
    /// The vault is gone, with all that was in it.
    case erased
    /// It could not be tried: the store, the memory. Nothing is known about the PIN.
    case failed
}

/// What a pad has done to it.
public enum PinPadEffect: Sendable {
    /// The answer to ``PinPadEvent/ask(_:_:)`` or ``PinPadEvent/collect(reason:_:)``. There is one at most for each.
    case answer(PinAnswer)
    /// The answer to ``PinPadEvent/askNew(_:_:)``. There is one at most for each.
    case answerNew(CreatePinAnswer)
    /// What the person is to feel.
    case feel(PinPadFeedback)
}

/// What a person feels of a pad: by vibration, by movement, by sound.
public enum PinPadFeedback: Hashable, Sendable {
    /// A key was taken.
    case key
    /// What was typed is wrong, refused, or not the same twice.
    case wrong
    case success
}
