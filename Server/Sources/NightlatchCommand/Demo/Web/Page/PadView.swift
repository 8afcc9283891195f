import Nightlatch
import NightlatchUI

/// A pad's display in the page's words.
struct PadView: Encodable, Hashable, Sendable {
    struct Key: Encodable, Hashable, Sendable {
        /// The event's name.
        let event: String
        let label: String
        let isEnabled: Bool
    }

    let title: String
    let hint: String
    /// What went wrong, or how long to wait: said aloud once.
    let message: String?
    let isWarning: Bool
    let countdownSeconds: Int?
    let typedCount: Int
    /// Nil where the pad does not know how many digits the PIN has.
    let digitCount: Int?
    let circleCount: Int
    /// Ten, row by row.
    let digits: [Key]
    let delete: Key?
    let biometrics: Key?
    /// What stands below the digits.
    let others: [Key]
    let isBusy: Bool
    /// What was felt last, with a number that is new each time.
    let feedback: String?
    let feedbackNumber: Int

    /// Nil for a pad that asks for nothing.
    ///
    /// - Parameter isWanted: Whether a call is under way that may ask.
    init?(_ display: PinPadDisplay, feedback: PinPadModel.Feedback?, isWanted: Bool) {
        guard isWanted, let title = display.title.text else { return nil }
        self.title = title
        hint = display.title.hint
        let countdown = display.countdown.map { Int($0.roundedUpSeconds) }
        countdownSeconds = countdown
        message = display.message.map(\.text) ?? display.triesLeft.map(\.triesLeft)
        isWarning = display.message != nil
        typedCount = display.typedCount
        digitCount = display.digitCount
        circleCount = display.circleCount
        isBusy = display.isBusy
        self.feedback = feedback.map { "\($0.kind)" }
        feedbackNumber = feedback?.number ?? 0
        func key(_ key: PinPadKey, _ label: String) -> Key {
            Key(event: PageEvent.press(key).name, label: label, isEnabled: display.takes(key))
        }
        func offered(_ offered: PinPadKey, _ label: String) -> Key? {
            display.offeredKeys.contains(offered) ? key(offered, label) : nil
        }
        let asksForDigits = display.title != .reallyForgotten
        digits = asksForDigits ? display.order.digits.map { key(.digit($0), "\($0.rawValue)") } : []
        delete = offered(.delete, "Delete")
        biometrics = offered(.biometrics, "Use your finger")
        others = [
            offered(.submit, "Done"), offered(.giveUp, "Give it up"),
            offered(.cancel, asksForDigits ? "Cancel" : "Back"), offered(.forgotten, "Forgotten?"),
        ].compactMap(\.self)
    }
}

extension PinPadDisplay.Title {
    /// Nil where nothing is asked for.
    fileprivate var text: String? {
        switch self {
        case .idle, .ended: nil
        case .enterPin(.unlock): "Your PIN"
        case .enterPin(.changePin): "Your present PIN"
        case .choosePin: "Choose a PIN"
        case .repeatPin: "The same once more"
        case .reallyForgotten: "Give the PIN up?"
        }
    }

    fileprivate var hint: String {
        switch self {
        case .enterPin(.unlock(let reason)): reason
        case .enterPin(.changePin): "Then you choose a new one"
        case .choosePin: "Six digits that nobody guesses first"
        case .repeatPin: "So that no slip locks you out"
        case .reallyForgotten: "No PIN opens this vault afterwards. A finger that is turned on still does."
        case .idle, .ended: ""
        }
    }
}

extension PinPadDisplay.Message {
    fileprivate var text: String {
        switch self {
        case .wrong(let triesLeft): "Wrong PIN. \(triesLeft.triesLeft)"
        case .tooSoon: "Too soon. It was not tried."
        case .biometrics(.enrolmentChanged): "The fingers of this phone have changed. Your PIN still opens it."
        case .biometrics(.denied): "That finger is not known. Use your PIN."
        case .biometrics: "The finger could not be used. Use your PIN."
        case .mismatch: "Those were not the same. Choose again."
        case .refused(let objections): "Choose another: \(objections.map(\.reason).joined(separator: "; "))."
        }
    }
}

extension Int {
    fileprivate var triesLeft: String { self == 1 ? "One try left." : "\(self) tries left." }
}

extension Duration {
    /// So that whoever waits that long has waited long enough.
    fileprivate var roundedUpSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
