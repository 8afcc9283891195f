/// An announcement that a screen reader speaks after a change of the pad. The focus does not move.
public struct PinPadAnnouncement: Hashable, Sendable {
    /// Whether the announcement may interrupt the screen reader.
    public let isUrgent: Bool
    public let text: String

    /// Creates the announcement for a change of the pad. Returns nil if there is nothing to speak.
    ///
    /// - Parameters:
    ///   - old: The pad before the change.
    ///   - new: The pad now.
    ///   - strings: The texts in the user's language.
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

    /// The text for a wait: at its beginning and end, each minute, and ten seconds before its end.
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

/// The display and the latest feedback of a pad, from which a screen reader's announcements follow.
public struct PinPadMoment: Hashable, Sendable {
    public let display: PinPadDisplay
    public let feedback: PinPadModel.Feedback?

    public init(display: PinPadDisplay, feedback: PinPadModel.Feedback?) {
        self.display = display
        self.feedback = feedback
    }

    /// The moment that a view treats as the previous one when it appears on a pad with an error message. So the user
    /// also gets the announcement and the feedback for a message that is older than the view. Nil without a message,
    /// because a screen reader reads a new view by itself.
    public var beforeMessage: PinPadMoment? {
        display.message == nil ? nil : PinPadMoment(display: PinPadDisplay(), feedback: nil)
    }
}

extension PinPadModel {
    public var moment: PinPadMoment { PinPadMoment(display: display, feedback: feedback) }
}
