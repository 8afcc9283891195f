/// Which PINs may be set: a range of lengths, and no PIN that a thief tries first.
///
/// Rules find nearly all common PINs: repeats, runs, patterns, palindromes, years, dates and shapes on the digit pad. A short
/// list adds the rest. Together they refuse at most 12 % of the PINs of four or six digits, and all of the 100 that are chosen
/// most (``CommonPinKind``). A blocklist of about a tenth of the space was found to be the best trade between safety and
/// annoyance (Markert et al., "This PIN Can Be Easily Guessed", IEEE S&P 2020).
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

    /// The reasons to refuse `pin`, in a fixed order; none if it may be set.
    ///
    /// A PIN has every reason that applies from ``CommonPinKind/repetition`` to ``CommonPinKind/date``. The other kinds are named
    /// only where none of those applies: that `123456` also draws a line on the pad helps no one to choose a better PIN.
    public func objections(to pin: borrowing Pin) -> [PinObjection] {
        unsafe pin.digits.withUnsafeBytes { ascii in
            var objections: [PinObjection] = []
            if !lengths.contains(ascii.count) { objections.append(.length(allowed: lengths)) }
            let shape = unsafe PinShape(digits: ascii)
            objections += shape.commonKinds.map(PinObjection.common)
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

/// The kinds of common PIN.
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
    /// Six digits or more that only rise or only fall: `001389`, `998521`.
    case sorted
    /// Six digits or more made of several runs, one after the other or digit by digit: `123789`, `159753`, `102030`, `142536`.
    case severalRuns
    /// Drawn on the digit pad: a path from key to neighbouring key, up, down or sideways, that comes to no key twice, or four keys
    /// that are the pad's corners or the middles of its sides: `2580`, `1236`, `147896`, `1397`, `2684`.
    case padShape
    /// Among the PINs that are chosen most, and of no other kind: `5683` spells "love" on a telephone.
    case popular

    /// Those that are named only where no other kind applies.
    package static let lastResorts: [CommonPinKind] = [.sorted, .severalRuns, .padShape, .popular]
}
