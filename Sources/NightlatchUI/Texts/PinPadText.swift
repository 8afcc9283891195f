public import Nightlatch

/// A text of the pad. ``PinPadStrings`` says it in a language.
public enum PinPadText: Hashable, Sendable {
    /// What the pad asks for or tells, in a line.
    case title(PinPadDisplay.Title)
    /// What stands below the title: what to do next, what a key would do.
    case detail(PinPadDisplay.Title)
    /// What the person is told of the last thing they did.
    case message(PinPadDisplay.Message)
    /// Why a PIN may not be set.
    case objection(PinObjection)
    /// How many PINs may still be tried.
    case triesLeft(Int)
    /// How long no PIN is tried.
    case countdown(WaitTime)
    /// The wait is over.
    case countdownIsOver
    /// What a key is called, where it is spoken or written out.
    case key(PinPadKey)
    /// What the row of circles is called.
    case circles
    /// How many digits were typed, and of how many, where that is known. It is spoken in the place of the circles.
    case entered(Int, of: Int?)
    /// An answer is on its way.
    case checking
    /// The key of a locked screen that asks for the PIN.
    case unlock
}
