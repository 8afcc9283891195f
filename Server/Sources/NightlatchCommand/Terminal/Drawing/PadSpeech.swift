package import NightlatchUI

/// The display as lines of text, for terminals that cannot draw and for screen readers. Each sentence is printed once.
/// Only ``typedAhead(_:)`` states the number of typed digits.
package struct PadSpeech: Hashable, Sendable {
    /// The sentences to print, one in each line.
    package let sentences: [String]
    /// The text before the cursor; nil while nothing may be typed.
    package let question: String?

    package init(_ display: PinPadDisplay) {
        let words = PadWords(display)
        var sentences = [words.message, words.countdown].compactMap(\.self)
        var question: String?
        switch display.title {
        case _ where display.isBusy: break
        case .enterPin where display.countdown != nil:
            sentences.append("The command asks again then. Control-C cancels.")
        case .enterPin, .choosePin, .repeatPin:
            sentences.append(
                ([words.title] + words.reason).joined(separator: words.reason.count > 1 ? "\n" : " ") + ".")
            sentences.append(Self.instruction(display))
            question = "PIN: "
        case .reallyForgotten:
            sentences.append(words.title + " " + words.reason.joined(separator: " "))
            question = "Press y to give it up, n to go back: "
        case .idle, .ended: break
        }
        self.sentences = sentences.map { sentence in
            sentence.split(separator: "\n").map { TerminalText($0).characters }.joined(separator: "\n")
        }
        self.question = question
    }

    /// Returns whether the two displays differ at most in the remaining time, which would otherwise be printed every
    /// second.
    package static func isSame(_ display: PinPadDisplay, as other: PinPadDisplay) -> Bool {
        display.title == other.title && display.message == other.message && display.triesLeft == other.triesLeft
            && display.lastAttempt == other.lastAttempt && (display.countdown == nil) == (other.countdown == nil)
            && display.isBusy == other.isBusy
    }

    /// Returns a sentence about digits that were entered before the question was printed; nil if there are none.
    package static func typedAhead(_ display: PinPadDisplay) -> String? {
        guard display.typedCount > 0, !display.isBusy else { return nil }
        let digits =
            display.typedCount == 1 ? "1 digit that you typed was" : "\(display.typedCount) digits that you typed were"
        let end = display.keys.contains(.submit) ? ", Return enters them." : "."
        return "\(digits) already entered. Control-U deletes them" + end
    }

    private static func instruction(_ display: PinPadDisplay) -> String {
        let end = display.digitCount.map { "\($0) digits" } ?? "digits, then Return"
        return "Type \(end); they are not shown. Control-C cancels."
    }
}
