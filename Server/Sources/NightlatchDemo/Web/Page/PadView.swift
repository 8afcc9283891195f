import Nightlatch
import NightlatchProgram
import NightlatchUI

/// The display of a pad, encoded for the page.
struct PadView: Encodable, Hashable, Sendable {
    struct Key: Encodable, Hashable, Sendable {
        /// The name of the ``PageEvent``.
        let event: String
        let label: String
        let isEnabled: Bool
    }

    let title: String
    let hint: String
    /// An error or the time to wait. A screen reader announces it once.
    let message: String?
    let isWarning: Bool
    let countdownSeconds: Int?
    let typedCount: Int
    /// Nil if the pad does not know the length of the PIN.
    let digitCount: Int?
    let circleCount: Int
    /// The ten digit keys, row by row.
    let digits: [Key]
    let delete: Key?
    let biometrics: Key?
    /// The keys below the digits.
    let others: [Key]
    let isBusy: Bool
    /// The last haptic feedback. Each feedback has a new number.
    let feedback: String?
    let feedbackNumber: Int

    /// Creates the view of a pad; nil if the pad asks for nothing.
    ///
    /// - Parameter isWanted: Whether a call that may ask for a PIN is in progress.
    init?(_ display: PinPadDisplay, feedback: PinPadModel.Feedback?, isWanted: Bool) {
        guard isWanted, let title = display.title.text else { return nil }
        self.title = title
        hint = display.title.hint
        let countdown = display.countdown.map { Int($0.roundedUpSeconds) }
        countdownSeconds = countdown
        let lastAttempt = display.lastAttempt.map { PinPadStrings.english[.lastAttempt($0)] }
        let attempts = lastAttempt ?? display.triesLeft.map(\.triesLeft)
        message = display.message.map { $0.text(attempts) } ?? attempts
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
    /// The title; nil if the pad asks for nothing.
    fileprivate var text: String? {
        switch self {
        case .idle, .ended: nil
        case .enterPin(.unlock): "Your PIN"
        case .enterPin(.changePin): "Your current PIN"
        case .choosePin: "Choose a PIN"
        case .repeatPin: "Enter the new PIN again"
        case .reallyForgotten: "Give up this PIN?"
        }
    }

    fileprivate var hint: String {
        switch self {
        case .enterPin(.unlock(let reason)): reason
        case .enterPin(.changePin): "Then choose a new PIN"
        case .choosePin: "Six digits that are not easy to guess"
        case .repeatPin: "To avoid typing errors"
        case .reallyForgotten: "Then no PIN can open this vault. Your finger still can, if it is turned on."
        case .idle, .ended: ""
        }
    }
}

extension PinPadDisplay.Message {
    /// - Parameter attempts: The sentence about the attempts that are left, if the pad knows more than their number.
    fileprivate func text(_ attempts: String?) -> String {
        switch self {
        case .wrong(let triesLeft): "Wrong PIN. \(attempts ?? triesLeft.triesLeft)"
        case .tooSoon: "You have to wait. The PIN was not checked."
        case .biometrics(.enrolmentChanged): "The fingers of this phone have changed. Use your PIN."
        case .biometrics(.notRecognised): "The finger was not recognised. Use your PIN."
        case .biometrics: "The finger could not be used. Use your PIN."
        case .mismatch: "The two PINs differ. Choose again."
        case .refused(let objections): "Choose another: \(objections.map(\.reason).joined(separator: "; "))."
        }
    }
}

extension Int {
    fileprivate var triesLeft: String { self == 1 ? "1 attempt left." : "\(self) attempts left." }
}

extension Duration {
    /// The duration rounded up to whole seconds. After that time, a wait is certainly over.
    fileprivate var roundedUpSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
