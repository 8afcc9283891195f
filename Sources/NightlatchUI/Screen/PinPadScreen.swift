import Nightlatch

/// The texts and keys that a pad shows and speaks, in one language. A view only draws them. No typed digit is included.
public struct PinPadScreen: Hashable, Sendable {
    /// The row of circles for typed digits.
    public struct Circles: Hashable, Sendable {
        public let filledCount: Int
        /// The total number (``PinPadDisplay/circleCount``), at least one.
        public let count: Int
        /// The row's spoken name.
        public let label: String
        /// The row's spoken value.
        public let value: String
    }

    public let title: String
    /// An optional text below the title.
    public let detail: String?
    /// The message about the user's last action.
    public let message: String?
    /// The text about the number of attempts left. Before the last attempt, it says what another wrong PIN does.
    public let triesLeft: String?
    public let countdown: String?
    /// The circles. Nil if the pad accepts no digits.
    public let circles: Circles?
    /// The digits, and the keys in the bottom corners. Empty if the pad accepts no digits.
    public let grid: [PinPadGridRow]
    /// The keys below the digits, the main one first.
    public let choices: [PinPadScreenKey]
    /// The spoken text while an answer is pending. Nil otherwise.
    public let busy: String?

    public init(_ display: PinPadDisplay, in strings: PinPadStrings) {
        func nonempty(_ text: PinPadText) -> String? {
            let said = strings[text]
            return said.isEmpty ? nil : said
        }
        title = strings[.title(display.title)]
        detail = nonempty(.detail(display.title))
        message = display.message.flatMap { nonempty(.message($0)) }
        triesLeft =
            display.lastAttempt.map { strings[.lastAttempt($0)] } ?? display.triesLeft.map { strings[.triesLeft($0)] }
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
    /// Whether the pad accepts a PIN under this title.
    var isTypedAt: Bool {
        switch self {
        case .enterPin, .choosePin, .repeatPin: true
        case .idle, .reallyForgotten, .ended: false
        }
    }
}
