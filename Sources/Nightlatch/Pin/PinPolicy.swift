/// Which PINs may be set: a range of lengths, and no PIN that a thief tries first.
///
/// Weak PINs are told by rule, not by list: repeats, runs, patterns, palindromes, years and dates, about a tenth of the space.
/// A blocklist of that size was found to be the best trade between safety and annoyance (Markert et al., "This PIN Can Be
/// Easily Guessed", IEEE S&P 2020).
public struct PinPolicy: Hashable, Sendable {
    /// The lengths that may be set.
    public let lengths: ClosedRange<Int>

    /// Six digits.
    public static let `default` = PinPolicy(unchecked: 6...6)

    /// Returns nil unless `lengths` lies within ``Pin/lengths``.
    public init?(lengths: ClosedRange<Int>) {
        guard Pin.lengths.contains(lengths.lowerBound), Pin.lengths.contains(lengths.upperBound) else { return nil }
        self.lengths = lengths
    }

    private init(unchecked lengths: ClosedRange<Int>) {
        self.lengths = lengths
    }

    /// Every reason to refuse `pin`, in a fixed order; none if it may be set.
    public func objections(to pin: borrowing Pin) -> [PinObjection] {
        unsafe pin.digits.withUnsafeBytes { ascii in
            var objections: [PinObjection] = []
            if !lengths.contains(ascii.count) { objections.append(.length(allowed: lengths)) }
            let shape = unsafe PinShape(digits: ascii)
            objections += PinShape.rules.filter { shape.breaks($0) }.map(PinObjection.common)
            return objections
        }
    }
}

/// One reason why a PIN may not be set.
public enum PinObjection: Hashable, Sendable {
    /// Too short or too long for this policy.
    case length(allowed: ClosedRange<Int>)
    /// Among the PINs that people choose most and thieves try first.
    case common(CommonPinKind)
}

/// The kinds of PIN that are told by rule.
public enum CommonPinKind: Hashable, Sendable, CaseIterable {
    /// One digit throughout, or two where the PIN has six digits or more: `7777`, `112122`.
    case repetition
    /// Equal steps up or down, also past nine: `1234`, `9876`, `2468`, `8901`.
    case run
    /// A group that comes again, or pairs: `1212`, `123123`, `1122`.
    case pattern
    /// The same from both ends: `1221`.
    case palindrome
    /// A year from 1900 to 2029.
    case year
    /// A day of the year, with or without the year, in any usual order.
    case date
}
