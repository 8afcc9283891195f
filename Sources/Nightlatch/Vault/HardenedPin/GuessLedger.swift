import NightlatchWire

/// The device's knowledge of the guesses that were charged since the hardener's count was last reset.
struct GuessLedger: Codable, Hashable, Sendable {
    private static let greatestCount = 1_000_000

    /// The window that the hardener named last; nil before it has named one.
    private(set) var window: PinWindow?
    /// The ids of the guesses of this window that the device received.
    private(set) var answered: [PinGuessID] = []
    /// The ids that the device received after their window was over. The hardener may still count these guesses. Nil
    /// for none.
    private(set) var late: [PinGuessID]?
    /// The number of guesses that the device sent, or may have sent, without receiving an answer.
    private(set) var unanswered = 0
    /// True if it is known that no guess is left; otherwise nil.
    ///
    /// It becomes true when the answer to a wrong PIN says that no guess is left, or any answer says that the keys are
    /// destroyed. It becomes nil when a later answer shows that guesses are left, when a PIN is right, or when an epoch
    /// is promoted. A new window alone does not clear it, since the destruction of all keys also begins a new window.
    private(set) var isUsedUp: Bool?
    /// The foreign guesses of the window, from the last answer to a right PIN.
    private(set) var foreign: ForeignGuesses?
    /// The foreign guesses of earlier windows. They are kept until another epoch is promoted, since only that makes the
    /// other party's copy worthless.
    private(set) var foreignBefore: ForeignGuesses?
    /// The ids of the guesses in ``foreign``. `foreignIDsBefore` has the ids of those in ``foreignBefore`` that the
    /// hardener still counts. So no guess is reported twice. Each of the two lists is nil if it has no ids.
    private var foreignIDs: [PinGuessID]?
    private var foreignIDsBefore: [PinGuessID]?

    init(window: PinWindow? = nil) {
        self.window = window
    }

    /// Whether a device can reach this state. Values that no device reaches were written by an attacker.
    var isPossible: Bool {
        let counts = [unanswered] + [foreign, foreignBefore].compactMap(\.self).flatMap { [$0.count, $0.possiblyOwn] }
        let ids = [answered] + [late, foreignIDs, foreignIDsBefore].compactMap(\.self)
        return ids.allSatisfy { $0.count <= PinGuessIDs.countLimit }
            && counts.allSatisfy((0...Self.greatestCount).contains)
    }

    /// Counts a guess before it is sent, since it may be charged whatever happens after that.
    mutating func send() { unanswered = min(unanswered + 1, Self.greatestCount) }

    /// Removes the guess that was sent last, because it was not charged.
    mutating func takeBack() { unanswered = max(0, unanswered - 1) }

    /// Records that the guess that was sent last was charged as `guess`.
    mutating func answer(_ guess: HardenedGuess) {
        enter(guess.window)
        guard !answered.contains(guess.id) else { return }
        takeBack()
        answered.append(guess.id)
        if answered.count > PinGuessIDs.countLimit { answered.removeFirst() }
    }

    /// The guesses that the device claims as its own: those with ids that it has received.
    var own: PinGuessIDs {
        let known = answered + (late ?? []).filter { !answered.contains($0) }
        return PinGuessIDs(Array(known.prefix(PinGuessIDs.countLimit))) ?? .none
    }

    /// Whether another process has started a later window since the guess was sent.
    ///
    /// If so, the answer shows only that the guess was this device's, and the guess's id is recorded in ``late``. The
    /// answer says nothing about the later window.
    ///
    /// - Parameter known: The window when the guess was sent. If that window is later than the answer's and still
    ///   current, an attacker wrote it, and the result is false.
    private mutating func hasPassed(_ answer: HardenedPin, sentIn known: PinWindow?) -> Bool {
        guard let window, window != known, window > answer.guess.window else { return false }
        var ids = late ?? []
        if !ids.contains(answer.guess.id) { ids.append(answer.guess.id) }
        late = ids.suffix(PinGuessIDs.countLimit)
        return true
    }

    /// Records a wrong PIN: the guess that was sent last, when the window was `known`.
    mutating func answer(wrong answer: HardenedPin, sentIn known: PinWindow?) {
        guard !hasPassed(answer, sentIn: known) else { return }
        self.answer(answer.guess)
        guard answer.triesLeft != 0 else { return isUsedUp = true }
        // A late answer does not include later guesses, so it does not show how many are left.
        if Set(answered).isSubset(of: answer.charged.ids) { isUsedUp = nil }
    }

    /// Records a right PIN: the guess that was sent last, when the window was `known`.
    ///
    /// Other charged guesses with ids that the device never received are foreign, or they are the device's own guesses
    /// without an answer.
    ///
    /// - Parameter next: The window that began when the guess was proved.
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

    /// Records that the hardener has destroyed all its keys: no guess is left.
    mutating func end() {
        takeBack()
        isUsedUp = true
    }

    /// The foreign guesses that no change of epoch has ended yet. Nil if there are none.
    var allForeign: ForeignGuesses? {
        guard let foreign, let foreignBefore else { return foreign ?? foreignBefore }
        return foreign.adding(foreignBefore, limit: Self.greatestCount)
    }

    /// Records that another epoch was promoted, which ends all foreign guesses.
    mutating func answerForeign() {
        foreign = nil
        foreignBefore = nil
        foreignIDs = nil
        foreignIDsBefore = nil
        isUsedUp = nil
    }

    /// Moves to the newest window.
    ///
    /// A guess that was answered before a window began is not charged in it. An unanswered guess may be: it may have
    /// been sent after the window had begun, before the device learned of the new window.
    private mutating func enter(_ newest: PinWindow) {
        if let window, window != newest {
            answered = []
            // Unanswered guesses that may explain foreign guesses of the old window cannot also explain foreign guesses
            // of the new window.
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
    /// The elements as an array, or nil if there are none.
    fileprivate var nilIfEmpty: [Element]? { isEmpty ? nil : Array(self) }
}
