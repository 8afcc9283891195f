import NightlatchWire

/// What the device knows of the guesses that were charged since the hardener's count last began anew.
struct GuessLedger: Codable, Hashable, Sendable {
    private static let greatestCount = 1_000_000

    /// The window that the hardener named last; nil before it has named one.
    private(set) var window: PinWindow?
    /// The guesses of the window that the device was told of.
    private(set) var answered: [PinGuessID] = []
    /// How many it sent, or may have sent, without being told.
    private(set) var unanswered = 0
    /// True once an answer to a wrong PIN has said that there is no guess left, until another PIN is answered for or an epoch is promoted.
    /// Otherwise nil. (Another window is no reason: the destruction of all keys begins one too.)
    private(set) var isUsedUp: Bool?
    /// The guesses of the window that were somebody else's, as the last answer to a right PIN told.
    private(set) var foreign: ForeignGuesses?
    /// Those of the windows before. Only the promotion of another epoch answers them, so until then they are kept.
    private(set) var foreignBefore: ForeignGuesses?

    init(window: PinWindow? = nil) {
        self.window = window
    }

    /// Whether a device comes to this. Numbers that none does were planted.
    var isPossible: Bool {
        let counts = [unanswered] + [foreign, foreignBefore].compactMap(\.self).flatMap { [$0.count, $0.possiblyOwn] }
        return answered.count <= PinGuessIDs.countLimit && counts.allSatisfy((0...Self.greatestCount).contains)
    }

    /// Before a guess is sent: whatever becomes of it, it may have been charged.
    mutating func send() { unanswered = min(unanswered + 1, Self.greatestCount) }

    /// The guess that was sent last was not charged.
    mutating func takeBack() { unanswered = max(0, unanswered - 1) }

    /// The guess that was sent last was charged as `guess`.
    mutating func answer(_ guess: HardenedGuess) {
        enter(guess.window)
        guard !answered.contains(guess.id) else { return }
        takeBack()
        answered.append(guess.id)
        if answered.count > PinGuessIDs.countLimit { answered.removeFirst() }
    }

    /// Whether another process has had a later window begun since the guess was sent, so that its answer says nothing of this one.
    ///
    /// - Parameter known: The window when it was sent. One that was there then and is later all the same was planted.
    func hasPassed(_ answer: HardenedPin, sentIn known: PinWindow?) -> Bool {
        guard let window, window != known else { return false }
        return window > answer.guess.window
    }

    /// The PIN that was sent last was wrong.
    mutating func answer(wrong answer: HardenedPin) {
        self.answer(answer.guess)
        guard answer.triesLeft != 0 else { return isUsedUp = true }
        // One that comes late, and knows nothing of guesses after its own, says nothing of how many are left.
        if Set(answered).isSubset(of: answer.charged.ids) { isUsedUp = nil }
    }

    /// The PIN that was sent last was right. What was charged beside it, and the device was never told of, is somebody else's, or its own
    /// that was never answered.
    mutating func answer(_ answer: HardenedPin) {
        self.answer(answer.guess)
        isUsedUp = nil
        let known = Set(answered)
        let unknown = answer.charged.ids.count { !known.contains($0) }
        foreign = unknown == 0 ? nil : ForeignGuesses(count: unknown, possiblyOwn: min(unanswered, unknown))
    }

    /// Others' guesses that no change of epoch has answered yet. Nil if there are none.
    var allForeign: ForeignGuesses? {
        guard let foreign, let foreignBefore else { return foreign ?? foreignBefore }
        return foreign.adding(foreignBefore, limit: Self.greatestCount)
    }

    /// The hardener has cleared the count and begun `next`.
    mutating func begin(_ next: PinWindow) {
        enter(next)
        unanswered = 0
    }

    /// Another epoch was promoted: that has answered whoever guessed before.
    mutating func answerForeign() {
        foreign = nil
        foreignBefore = nil
        isUsedUp = nil
    }

    /// What was answered before a window began is not charged in it. What was not answered may be: it may have been sent when the window had
    /// begun and nobody here had heard of it.
    private mutating func enter(_ newest: PinWindow) {
        if let window, window != newest {
            answered = []
            // What may have been own guesses of that window cannot be others of this one as well.
            if let foreign { unanswered -= min(unanswered, foreign.possiblyOwn) }
            foreignBefore = allForeign
            foreign = nil
        }
        window = newest
    }

    private enum CodingKeys: String, CodingKey {
        case window, answered, unanswered, foreign
        case isUsedUp = "used_up"
        case foreignBefore = "foreign_before"
    }
}
