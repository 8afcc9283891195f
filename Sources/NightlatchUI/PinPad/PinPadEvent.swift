public import Nightlatch

/// What happens to a pad.
public enum PinPadEvent: Sendable {
    /// The library asks for the PIN that the profile has.
    case ask(PinChallenge, PinPadOrder)
    /// The library asks for a new PIN.
    case askNew(CreatePinChallenge, PinPadOrder)
    /// Somebody asks for a PIN, for this reason, who does not know how long it is; `after` tells what became of the one before.
    case collect(reason: String, after: PinPadDisplay.Message?, PinPadOrder)
    /// Somebody who has no profile asks for a new PIN under this policy.
    case collectNew(PinPolicy, PinPadOrder)
    /// The person pressed a key. One that the pad does not show, or shows as not to be pressed, does nothing; but digits that are typed while
    /// a PIN is tried are kept for the next question.
    case press(PinPadKey)
    /// The person pressed a key before the next question was drawn. A digit is kept for it, delete takes one back, and no other key counts.
    case typeAhead(PinPadKey)
    /// Time has passed since the last event of this kind, or since the pad was asked.
    case pass(Duration)
    /// The person has left: what was typed is forgotten, a new PIN is typed from the beginning, and the question stands.
    case clear
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
    /// The vault is not found now. Nothing was removed.
    case missing
    /// It could not be tried: the store, the memory. Nothing is known about the PIN.
    case failed
}

/// What a pad has done to it.
public enum PinPadEffect: Sendable {
    /// The answer to ``PinPadEvent/ask(_:_:)`` or ``PinPadEvent/collect(reason:after:_:)``. There is one at most for each.
    case answer(PinAnswer)
    /// The answer to ``PinPadEvent/askNew(_:_:)`` or ``PinPadEvent/collectNew(_:_:)``. There is one at most for each.
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
