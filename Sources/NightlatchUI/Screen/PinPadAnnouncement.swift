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

    /// The text for a wait: at its beginning and end, and at the times that ``isSpoken(_:after:)`` chooses.
    private static func wait(
        from old: PinPadDisplay,
        to new: PinPadDisplay,
        _ screen: PinPadScreen,
        in strings: PinPadStrings
    ) -> String? {
        switch (old.countdown, new.countdown) {
        case (nil, .some): return screen.countdown
        case (.some, nil): return new.title.isTypedAt && !new.isBusy ? strings[.countdownIsOver] : nil
        case (let before?, let left?): return isSpoken(left, after: before) ? screen.countdown : nil
        case (nil, nil): return nil
        }
    }

    /// Whether the rest of a wait is spoken: each five minutes, in the last ten minutes each minute, and 30 and 10
    /// seconds before the end.
    ///
    /// - Parameters:
    ///   - left: The time that is left now.
    ///   - before: The time that was left before.
    private static func isSpoken(_ left: Duration, after before: Duration) -> Bool {
        let seconds = before.components.seconds + (before.components.attoseconds > 0 ? 1 : 0)
        // The next time to speak at: a whole number of minutes, rounded down, until the last minute.
        let next: Int64? =
            switch seconds {
            case 601...: (seconds - 1) / 300 * 300
            case 61...: (seconds - 1) / 60 * 60
            case 31...: 30
            case 11...: 10
            default: nil
            }
        return next.map { left <= .seconds($0) } ?? false
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

    /// The moment that a view treats as the previous one when it appears on a pad with an error message, a wait or a
    /// last attempt. So the user also gets the announcement and the feedback for a message that is older than the view.
    /// Nil in all other cases, because a screen reader reads a new view without an announcement.
    public var beforeMessage: PinPadMoment? {
        guard display.message != nil || display.countdown != nil || display.lastAttempt != nil else { return nil }
        return PinPadMoment(display: PinPadDisplay(), feedback: nil)
    }
}

extension PinPadModel {
    public var moment: PinPadMoment { PinPadMoment(display: display, feedback: feedback) }
}
