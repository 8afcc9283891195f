import NightlatchWire

/// What the device knows of the guesses that were charged since the hardener's count last began anew.
struct GuessLedger: Codable, Hashable, Sendable {
    private static let greatestCount = 1_000_000

    /// The window that the hardener named last; nil before it has named one.
    private(set) var window: PinWindow?
    /// The guesses of the window that the device was told of.
    private(set) var answered: [PinGuessID] = []
    /// Those that it was told of when their window was over already: the hardener may count them on. Nil for none.
    private(set) var late: [PinGuessID]?
    /// How many it sent, or may have sent, without being told.
    private(set) var unanswered = 0
    /// True once an answer to a wrong PIN has said that there is no guess left, or any that the keys are destroyed, until another PIN is answered for or an epoch is promoted.
    /// Otherwise nil. (Another window is no reason: the destruction of all keys begins one too.)
    private(set) var isUsedUp: Bool?
    /// The guesses of the window that were somebody else's, as the last answer to a right PIN told.
    private(set) var foreign: ForeignGuesses?
    /// Those of the windows before. Only the promotion of another epoch answers them, so until then they are kept.
    private(set) var foreignBefore: ForeignGuesses?
    /// The ids of those in ``foreign``, and then of those in ``foreignBefore`` that the hardener counts on, so that none is told of twice. Nil
    /// for none.
    private var foreignIDs: [PinGuessID]?
    private var foreignIDsBefore: [PinGuessID]?

    init(window: PinWindow? = nil) {
        self.window = window
    }

    /// Whether a device comes to this. Numbers that none does were planted.
    var isPossible: Bool {
        let counts = [unanswered] + [foreign, foreignBefore].compactMap(\.self).flatMap { [$0.count, $0.possiblyOwn] }
        let ids = [answered] + [late, foreignIDs, foreignIDsBefore].compactMap(\.self)
        return ids.allSatisfy { $0.count <= PinGuessIDs.countLimit }
            && counts.allSatisfy((0...Self.greatestCount).contains)
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

    /// What the device says to be its own guesses: it was told of them.
    var own: PinGuessIDs {
        let known = answered + (late ?? []).filter { !answered.contains($0) }
        return PinGuessIDs(Array(known.prefix(PinGuessIDs.countLimit))) ?? .none
    }

    /// Whether another process has had a later window begun since the guess was sent, so that its answer says nothing of this one but that the
    /// guess was this device's.
    ///
    /// - Parameter known: The window when it was sent. One that was there then and is later all the same was planted.
    private mutating func hasPassed(_ answer: HardenedPin, sentIn known: PinWindow?) -> Bool {
        guard let window, window != known, window > answer.guess.window else { return false }
        var ids = late ?? []
        if !ids.contains(answer.guess.id) { ids.append(answer.guess.id) }
        late = ids.suffix(PinGuessIDs.countLimit)
        return true
    }

    /// The PIN that was sent last, when the window was `known`, was wrong.
    mutating func answer(wrong answer: HardenedPin, sentIn known: PinWindow?) {
        guard !hasPassed(answer, sentIn: known) else { return }
        self.answer(answer.guess)
        guard answer.triesLeft != 0 else { return isUsedUp = true }
        // One that comes late, and knows nothing of guesses after its own, says nothing of how many are left.
        if Set(answered).isSubset(of: answer.charged.ids) { isUsedUp = nil }
    }

    /// The PIN that was sent last, when the window was `known`, was right. What was charged beside it, and the device was never told of, is somebody
    /// else's, or its own that was never answered.
    ///
    /// - Parameter next: The window that began, once the guess was proved.
    mutating func answer(right answer: HardenedPin, sentIn known: PinWindow?, next: PinWindow? = nil) {
        guard !hasPassed(answer, sentIn: known) else { return }
        self.answer(answer.guess)
        isUsedUp = nil
        late = late.flatMap { $0.filter(answer.charged.ids.contains).nilIfEmpty }
        let told = Set(answered + (late ?? []) + (foreignIDsBefore ?? []))
        foreignIDs = answer.charged.ids.filter { !told.contains($0) }.nilIfEmpty
        foreign = foreignIDs.map { ForeignGuesses(count: $0.count, possiblyOwn: min(unanswered, $0.count)) }
        guard let next else { return }
        enter(next)
        unanswered = 0
    }

    /// The hardener has said that all its keys are destroyed: no guess is left.
    mutating func end() {
        takeBack()
        isUsedUp = true
    }

    /// Others' guesses that no change of epoch has answered yet. Nil if there are none.
    var allForeign: ForeignGuesses? {
        guard let foreign, let foreignBefore else { return foreign ?? foreignBefore }
        return foreign.adding(foreignBefore, limit: Self.greatestCount)
    }

    /// Another epoch was promoted: that has answered whoever guessed before.
    mutating func answerForeign() {
        foreign = nil
        foreignBefore = nil
        foreignIDs = nil
        foreignIDsBefore = nil
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
            foreignIDsBefore = ((foreignIDsBefore ?? []) + (foreignIDs ?? [])).suffix(PinGuessIDs.countLimit).nilIfEmpty
            foreignIDs = nil
        }
        window = newest
    }

    private enum CodingKeys: String, CodingKey {
        case window, answered, late, unanswered, foreign
        case isUsedUp = "used_up"
        case foreignBefore = "foreign_before"
        case foreignIDs = "foreign_ids"
        case foreignIDsBefore = "foreign_ids_before"
    }
}

extension Collection {
    /// The elements, or nil if there are none.
    fileprivate var nilIfEmpty: [Element]? { isEmpty ? nil : Array(self) }
}
