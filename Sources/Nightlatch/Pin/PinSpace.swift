/// All PINs of one length, as an attacker counts them.
public struct PinSpace: Hashable, Sendable {
    /// The number of digits of each PIN.
    public let digitCount: Int
    /// The number of PINs.
    public let pinCount: Int
    /// The number of PINs that a ``PinPolicy`` refuses as common: some 12 % of the short PINs, and nearly none of the
    /// long ones.
    public let commonPinCount: Int

    /// The number of PINs that the policy allows, and that an attacker must try.
    public var allowedPinCount: Int { pinCount - commonPinCount }

    /// 1,166 of 10,000 PINs are common.
    public static let fourDigits = PinSpace(digitCount: 4, pinCount: 10_000, commonPinCount: 1_166)
    /// 114,109 of 1,000,000 PINs are common.
    public static let sixDigits = PinSpace(digitCount: 6, pinCount: 1_000_000, commonPinCount: 114_109)
    /// 249,347 of 100,000,000 PINs are common.
    public static let eightDigits = PinSpace(digitCount: 8, pinCount: 100_000_000, commonPinCount: 249_347)
    /// The usual lengths, the shortest first.
    public static let usual = [fourDigits, sixDigits, eightDigits]
}
