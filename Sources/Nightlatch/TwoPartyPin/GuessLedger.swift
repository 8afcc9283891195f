import NightlatchWire

/// What the device knows of the guesses that were charged since the hardener's count last began anew.
struct GuessLedger: Codable, Hashable, Sendable {
    private static let greatestUnanswered = 1_000_000

    /// The window that the hardener named last; nil before it has named one.
    private(set) var window: PinWindow?
    /// The guesses of the window that the device was told of.
    private(set) var answered: [PinGuessID] = []
    /// How many it sent, or may have sent, without being told.
    private(set) var unanswered = 0

    init(window: PinWindow? = nil) {
        self.window = window
    }

    /// Whether a device comes to this. Numbers that none does were planted.
    var isPossible: Bool {
        answered.count <= PinGuessIDs.countLimit && (0...Self.greatestUnanswered).contains(unanswered)
    }

    /// Before a guess is sent: whatever becomes of it, it may have been charged.
    mutating func send() { unanswered = min(unanswered + 1, Self.greatestUnanswered) }

    /// The guess that was sent last was not charged.
    mutating func takeBack() { unanswered = max(0, unanswered - 1) }

    /// The guess that was sent last was charged as `guess`.
    mutating func answer(_ guess: HardenedGuess) {
        enter(guess.window)
        takeBack()
        guard !answered.contains(guess.id) else { return }
        answered.append(guess.id)
        if answered.count > PinGuessIDs.countLimit { answered.removeFirst() }
    }

    /// Those guesses that were charged beside the one that `answer` is to, and that the device was never told of: somebody else's, or its own
    /// that were never answered. Nil if there are none.
    func foreign(in answer: HardenedPin) -> ForeignGuesses? {
        var ledger = self
        ledger.answer(answer.guess)
        let known = Set(ledger.answered)
        let unknown = answer.charged.ids.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return nil }
        return ForeignGuesses(count: unknown.count, possiblyOwn: ledger.unanswered)
    }

    /// What was sent before a window began is not charged in it, but for the guess that is under way.
    private mutating func enter(_ newest: PinWindow) {
        if let window, window != newest {
            answered = []
            unanswered = min(unanswered, 1)
        }
        window = newest
    }
}
