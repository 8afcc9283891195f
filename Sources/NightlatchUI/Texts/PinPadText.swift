public import Nightlatch

/// A text of the pad. ``PinPadStrings`` returns it in one language.
public enum PinPadText: Hashable, Sendable {
    /// The pad's question or result, in one line.
    case title(PinPadDisplay.Title)
    /// The text below the title: the next step, or the effect of a key.
    case detail(PinPadDisplay.Title)
    /// The message about the user's last action.
    case message(PinPadDisplay.Message)
    /// The reason why a new PIN is refused.
    case objection(PinObjection)
    /// The number of PIN attempts left.
    case triesLeft(Int)
    /// Only one attempt is left. The value is the effect of another wrong PIN.
    case lastAttempt(LockoutEnd)
    /// The time until the next PIN may be typed.
    case countdown(WaitTime)
    /// The wait is over.
    case countdownIsOver
    /// The name of a key, spoken or written.
    case key(PinPadKey)
    /// The name of the row of circles.
    case circles
    /// The number of typed digits, and of all digits if known. It is the spoken value of the circles.
    case entered(Int, of: Int?)
    /// An answer is pending.
    case checking
    /// The button of a locked screen that asks for the PIN.
    case unlock
    /// A payment has appeared that the user can decide: its amount with the currency, and its payee.
    case newPayment(amount: String, payee: String)
    /// This number of payments has appeared that the user can decide.
    case newPayments(Int)
}
