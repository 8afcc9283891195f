import NightlatchWire

/// How many guesses at a two-party PIN count at once, and so how many others have at one epoch. The next one destroys the relying party's half.
public struct GuessLimit: Hashable, Sendable {
    /// What it may be.
    public static let range = 1...PinGuessIDs.countLimit

    /// Ten.
    public static let `default` = Self(unchecked: 10)

    public let count: Int

    /// Returns nil for a count outside ``range``.
    public init?(_ count: Int) {
        guard Self.range.contains(count) else { return nil }
        self.count = count
    }

    private init(unchecked count: Int) {
        self.count = count
    }
}
