import Nightlatch
import NightlatchProgram
package import NightlatchUI

/// The words of a pad.
package struct PadWords: Hashable, Sendable {
    private let display: PinPadDisplay

    package init(_ display: PinPadDisplay) {
        self.display = display
    }

    /// The question.
    package var title: String {
        switch display.title {
        case .idle: ""
        case .enterPin: "Enter your PIN"
        case .choosePin(.registration): "Choose a PIN"
        case .choosePin(.changePin), .choosePin(.replaceLostPin): "Choose a new PIN"
        case .repeatPin: "Enter the new PIN again"
        case .reallyForgotten: "Is the PIN forgotten?"
        case .ended(.unlocked): "Unlocked"
        case .ended(.pinSet): "The PIN is set"
        case .ended(.cancelled): "Cancelled"
        case .ended(.blocked(let unblocking)): unblocking.sentence
        case .ended(.erased): "The vault was erased"
        case .ended(.missing): "The vault cannot be found now"
        case .ended(.failed): "The PIN could not be checked"
        }
    }

    /// The reason for the question, one element for each paragraph.
    package var reason: [String] {
        switch display.title {
        case .enterPin(.unlock(let reason)): reason.split(separator: "\n").map(String.init)
        case .enterPin(.changePin): ["to choose another one"]
        case .reallyForgotten: ["If you give it up, no PIN can ever open this vault."]
        default: []
        }
    }

    /// The result of the last PIN, and the number of attempts left or the effect of the last one; nil if there is
    /// nothing to report.
    package var message: String? {
        let tries =
            display.lastAttempt.map { PinPadStrings.english[.lastAttempt($0)] }
            ?? display.triesLeft.map { $0 == 1 ? "1 attempt left." : "\($0) attempts left." }
        let happened: String? =
            switch display.message {
            case .wrong: "Wrong PIN."
            case .tooSoon: "You have to wait. The PIN was not checked."
            case .biometrics: "Biometrics did not unlock it."
            case .mismatch: "The two PINs differ. Choose again."
            case .refused(let objections): objections.refusal
            case nil: nil
            }
        let parts = [happened, display.title.asksForPin ? tries : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// A sentence with the time until a PIN is accepted again; nil if the pad accepts one now.
    package var countdown: String? {
        display.countdown.map { "Locked. Try again in \($0.onAClock)." }
    }
}

extension PinPadDisplay.Title {
    /// Whether the pad asks for the current PIN, not for a new one.
    package var asksForPin: Bool {
        if case .enterPin = self { true } else { false }
    }
}

extension Duration {
    /// The duration in minutes and seconds, with hours if needed, rounded up to a second.
    fileprivate var onAClock: String {
        let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
        return parts.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }.joined(separator: ":")
    }
}
