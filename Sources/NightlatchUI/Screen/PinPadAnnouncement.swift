/// What a screen reader is to say because the pad has changed, without the focus going anywhere.
public struct PinPadAnnouncement: Hashable, Sendable {
    /// Whether it may interrupt what is being said.
    public let isUrgent: Bool
    public let text: String

    /// - Parameters:
    ///   - old: What the pad was.
    ///   - new: What it is now.
    ///   - strings: The language to say it in.
    /// - Returns: Nil if nothing is to be said.
    public init?(from old: PinPadMoment, to new: PinPadMoment, in strings: PinPadStrings) {
        let screen = PinPadScreen(new.display, in: strings)
        let isFelt = new.feedback != old.feedback && new.feedback?.kind == .wrong
        if isFelt || new.display.title != old.display.title || new.display.message != old.display.message {
            isUrgent = isFelt || !new.display.title.isTypedAt
            let title = new.display.title == old.display.title ? nil : screen.title + "."
            let detail = new.display.title.isTypedAt ? nil : screen.detail
            text = [title, detail, screen.message, screen.triesLeft, screen.countdown].compactMap(\.self)
                .joined(separator: " ")
        } else if let text = Self.wait(from: old.display, to: new.display, screen, in: strings) {
            isUrgent = new.display.countdown == nil
            self.text = text
        } else if new.display.typedCount != old.display.typedCount, !new.display.isBusy, let circles = screen.circles {
            isUrgent = false
            text = circles.value
        } else {
            return nil
        }
        guard !text.isEmpty else { return nil }
    }

    /// A wait is said when it begins, when it is over, each minute, and ten seconds before its end.
    private static func wait(
        from old: PinPadDisplay,
        to new: PinPadDisplay,
        _ screen: PinPadScreen,
        in strings: PinPadStrings
    ) -> String? {
        switch (old.countdown, new.countdown) {
        case (nil, .some): return screen.countdown
        case (.some, nil): return new.title.isTypedAt && !new.isBusy ? strings[.countdownIsOver] : nil
        case (let before?, let left?):
            let isMinutePassed = (left / .seconds(60)).rounded(.up) < (before / .seconds(60)).rounded(.up)
            return isMinutePassed || (before > .seconds(10) && left <= .seconds(10)) ? screen.countdown : nil
        case (nil, nil): return nil
        }
    }
}

/// What a pad shows, and what was felt of it last: all that a screen reader's words follow from.
public struct PinPadMoment: Hashable, Sendable {
    public let display: PinPadDisplay
    public let feedback: PinPadModel.Feedback?

    public init(display: PinPadDisplay, feedback: PinPadModel.Feedback?) {
        self.display = display
        self.feedback = feedback
    }

    /// What a view takes for the moment before this one when it comes upon a pad that tells what was wrong: so that it is said and felt there
    /// too. Nil for any other: what a screen reader finds when it comes it reads by itself.
    public var beforeMessage: PinPadMoment? {
        display.message == nil ? nil : PinPadMoment(display: PinPadDisplay(), feedback: nil)
    }
}

extension PinPadModel {
    public var moment: PinPadMoment { PinPadMoment(display: display, feedback: feedback) }
}
