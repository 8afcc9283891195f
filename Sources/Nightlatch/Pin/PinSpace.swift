/// All PINs of one length, as whoever guesses must count them.
public struct PinSpace: Hashable, Sendable {
    /// How many digits each has.
    public let digitCount: Int
    /// How many there are.
    public let pinCount: Int
    /// How many of them a ``PinPolicy`` refuses as common: some 12 % of the short PINs, and nearly none of the long ones.
    public let commonPinCount: Int

    /// How many are left to whoever knows the policy.
    public var allowedPinCount: Int { pinCount - commonPinCount }

    /// Of 10,000 PINs 1,166 are common.
    public static let fourDigits = PinSpace(digitCount: 4, pinCount: 10_000, commonPinCount: 1_166)
    /// Of 1,000,000 PINs 114,109 are common.
    public static let sixDigits = PinSpace(digitCount: 6, pinCount: 1_000_000, commonPinCount: 114_109)
    /// Of 100,000,000 PINs 249,347 are common.
    public static let eightDigits = PinSpace(digitCount: 8, pinCount: 100_000_000, commonPinCount: 249_347)
    /// The usual lengths, the shortest first.
    public static let usual = [fourDigits, sixDigits, eightDigits]
}
