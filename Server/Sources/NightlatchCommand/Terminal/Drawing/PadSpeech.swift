package import NightlatchUI

/// What a pad says where nothing can be drawn, or where a screen is read aloud: sentences, each said once, and never how many digits
/// were typed since.
package struct PadSpeech: Hashable, Sendable {
    /// What is to be said, a line each.
    package let sentences: [String]
    /// What stands before the place where the person types; nil while nothing is to be typed.
    package let question: String?

    package init(_ display: PinPadDisplay) {
        let words = PadWords(display)
        var sentences = [words.message, words.countdown].compactMap(\.self)
        var question: String?
        switch display.title {
        case _ where display.isBusy: break
        case .enterPin where display.countdown != nil:
            sentences.append("You are asked again then. Control-C cancels.")
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

    /// Whether both say the same but for the time that is left, which would be said every second.
    package static func isSame(_ display: PinPadDisplay, as other: PinPadDisplay) -> Bool {
        display.title == other.title && display.message == other.message && display.triesLeft == other.triesLeft
            && (display.countdown == nil) == (other.countdown == nil) && display.isBusy == other.isBusy
    }

    /// What is said of digits that are entered already when the pad speaks; nil if there are none.
    package static func typedAhead(_ display: PinPadDisplay) -> String? {
        guard display.typedCount > 0, !display.isBusy else { return nil }
        let digits =
            display.typedCount == 1 ? "1 digit that you typed is" : "\(display.typedCount) digits that you typed are"
        let end = display.keys.contains(.submit) ? ", Return tries them." : "."
        return "\(digits) entered already. Control-U takes them back" + end
    }

    private static func instruction(_ display: PinPadDisplay) -> String {
        let end = display.digitCount.map { "\($0) digits" } ?? "digits, then Return"
        return "Type \(end); nothing is shown of them. Control-C cancels."
    }
}
