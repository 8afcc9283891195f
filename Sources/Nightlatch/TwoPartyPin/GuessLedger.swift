import NightlatchWire

/// What the device knows of the guesses that were charged since the hardener's count last began anew.
struct GuessLedger: Codable, Hashable, Sendable {
    static let none = GuessLedger(answered: [], unanswered: 0)
    private static let greatestUnanswered = 1_000_000

    /// The guesses that it was told of.
    private(set) var answered: [PinGuessID]
    /// How many it sent, or may have sent, without being told.
    private(set) var unanswered: Int

    /// Whether a device comes to this. Numbers that none does were planted.
    var isPossible: Bool {
        answered.count <= PinGuessIDs.countLimit && (0...Self.greatestUnanswered).contains(unanswered)
    }

    /// Before a guess is sent: whatever becomes of it, it may have been charged.
    mutating func send() { unanswered = min(unanswered + 1, Self.greatestUnanswered) }

    /// The guess that was sent last was not charged.
    mutating func takeBack() { unanswered = max(0, unanswered - 1) }

    /// The guess that was sent last was charged as `guess`.
    mutating func answer(_ guess: PinGuessID) {
        takeBack()
        guard !answered.contains(guess) else { return }
        answered.append(guess)
        if answered.count > PinGuessIDs.countLimit { answered.removeFirst() }
    }

    /// Those of `charged` that the device was never told of: somebody else's, or its own that were never answered.
    func unknown(in charged: PinGuessIDs) -> [PinGuessID] {
        let known = Set(answered)
        return charged.ids.filter { !known.contains($0) }
    }
}
