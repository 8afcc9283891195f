import Foundation
import Nightlatch

/// A message for the user: a text, and an action that the screen offers.
struct Notice: Hashable, Identifiable, Sendable {
    /// The action that a screen offers beside the text.
    enum Remedy: Hashable, Sendable {
        case none
        /// The system does not let the app use something. The user can change that in the system's settings.
        case openSettings
        case unlockAgain
        case enterPhrase
        case enterNewCode
    }

    let id = UUID()
    let text: String
    let remedy: Remedy

    init(_ text: String, remedy: Remedy = .none) {
        self.text = text
        self.remedy = remedy
    }

    /// Creates a notice from any error, by its advice. Returns nil if the user cancelled.
    init?(of error: any Error) {
        let guidance = ErrorGuidance(of: error)
        guard !guidance.isCancel else { return nil }
        let remedy: Remedy =
            switch guidance.advice {
            case .restoreAccess: .openSettings
            case .askForPin: .unlockAgain
            case .askForPhrase: .enterPhrase
            case .signIn, .bindAgain: .enterNewCode
            // The text says what to do, and the buttons of the screen repeat the action.
            case .tryAgain, .tryLater, .checkNetwork, .freeSpace, .updateApp, .nothing: .none
            // The text contains the code. A real app also reports it.
            case .defect: .none
            }
        self.init(error.localizedDescription, remedy: remedy)
    }
}
