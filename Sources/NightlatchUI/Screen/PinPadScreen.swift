import Nightlatch

/// What a pad shows and speaks, worked out in one language. A view only draws it, and no digit that was typed is in it.
public struct PinPadScreen: Hashable, Sendable {
    /// A row of circles that fill.
    public struct Circles: Hashable, Sendable {
        public let filledCount: Int
        /// How many there are in all (``PinPadDisplay/circleCount``); at least one.
        public let count: Int
        /// What the row is called when it is spoken.
        public let label: String
        /// What is spoken in the place of the circles.
        public let value: String
    }

    public let title: String
    /// What stands below the title, if anything does.
    public let detail: String?
    /// What the person is told of the last thing they did.
    public let message: String?
    public let triesLeft: String?
    public let countdown: String?
    /// Nil where no digits are typed.
    public let circles: Circles?
    /// The digits with what stands in their corners; empty where no digits are typed.
    public let grid: [PinPadGridRow]
    /// The keys below the digits, the one that leads on first.
    public let choices: [PinPadScreenKey]
    /// What is spoken while an answer is on its way; nil if none is.
    public let busy: String?

    public init(_ display: PinPadDisplay, in strings: PinPadStrings) {
        func nonempty(_ text: PinPadText) -> String? {
            let said = strings[text]
            return said.isEmpty ? nil : said
        }
        title = strings[.title(display.title)]
        detail = nonempty(.detail(display.title))
        message = display.message.flatMap { nonempty(.message($0)) }
        triesLeft = display.triesLeft.map { strings[.triesLeft($0)] }
        countdown = display.countdown.map { strings[.countdown(WaitTime($0))] }
        busy = display.isBusy ? strings[.checking] : nil
        circles =
            display.title.isTypedAt && (!display.isBusy || display.typedCount > 0)
            ? Circles(
                filledCount: display.typedCount, count: display.circleCount,
                label: strings[.circles], value: strings[.entered(display.typedCount, of: display.digitCount)]) : nil
        grid = display.title.isTypedAt ? PinPadGridRow.rows(display, in: strings) : []
        choices = [PinPadKey.submit, .giveUp, .forgotten, .cancel].filter(display.offeredKeys.contains)
            .map { PinPadScreenKey($0, display, in: strings) }
    }
}

extension PinPadDisplay.Title {
    /// Whether a PIN is typed while the pad says this.
    var isTypedAt: Bool {
        switch self {
        case .enterPin, .choosePin, .repeatPin: true
        case .idle, .reallyForgotten, .ended: false
        }
    }
}
