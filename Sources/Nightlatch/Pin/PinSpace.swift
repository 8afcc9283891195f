/// All PINs of one length, as whoever guesses must count them.
public struct PinSpace: Hashable, Sendable {
    /// How many digits each has.
    public let digitCount: Int
    /// How many there are.
    public let pinCount: Int
    /// How many of them a ``PinPolicy`` refuses as common. The rules take a tenth of the short PINs, next to nothing of the long
    /// ones, whose dates and patterns are few among so many.
    public let commonPinCount: Int

    /// How many are left to whoever knows the policy.
    public var allowedPinCount: Int { pinCount - commonPinCount }

    /// Of 10,000 PINs 1,024 are common.
    public static let fourDigits = PinSpace(digitCount: 4, pinCount: 10_000, commonPinCount: 1_024)
    /// Of 1,000,000 PINs 88,159 are common.
    public static let sixDigits = PinSpace(digitCount: 6, pinCount: 1_000_000, commonPinCount: 88_159)
    /// Of 100,000,000 PINs 182,450 are common.
    public static let eightDigits = PinSpace(digitCount: 8, pinCount: 100_000_000, commonPinCount: 182_450)
    /// The usual lengths, the shortest first.
    public static let usual = [fourDigits, sixDigits, eightDigits]
}
