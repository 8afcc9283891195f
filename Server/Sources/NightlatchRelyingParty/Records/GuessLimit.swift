import NightlatchWire

/// The largest number of guesses at a two-party PIN that count at the same time. An attacker therefore gets at most
/// this many guesses at one epoch.
///
/// One more guess destroys the relying party's half.
public struct GuessLimit: Hashable, Sendable {
    /// The permitted values.
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
