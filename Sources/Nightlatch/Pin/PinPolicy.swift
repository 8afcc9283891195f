public import NightlatchWire

/// The rules for new PINs: a range of lengths, a number of different digits, and no PIN that an attacker tries first.
///
/// Rules find nearly all common PINs: repeats, runs, patterns, palindromes, years, dates and shapes on the digit pad. A
/// short list adds the rest. Together they refuse at most 12 % of the PINs of four or six digits, and all of the 100
/// most frequent ones (``CommonPinKind``). In a study, a blocklist of about a tenth of all PINs was the best compromise
/// between security and convenience (Markert et al., "This PIN Can Be Easily Guessed", IEEE S&P 2020).
public struct PinPolicy: Hashable, Sendable {
    /// The lengths that a new PIN may have.
    public let lengths: ClosedRange<Int>
    /// The least number of different digits in a new PIN. A shorter PIN must have only different digits.
    public let distinctDigits: Int

    /// The valid values of ``distinctDigits``. A greater number would leave an attacker too few PINs to try.
    public static let distinctDigitCounts = 1...5

    /// Six digits.
    public static let `default` = PinPolicy(unchecked: 6...6)
    /// Every length that a PIN may have (``Pin/lengths``).
    public static let anyLength = PinPolicy(unchecked: Pin.lengths)

    /// Creates a policy.
    ///
    /// - Throws: ``PinPolicyError`` unless `lengths` is within ``Pin/lengths``, and `distinctDigits` within
    ///   ``distinctDigitCounts``.
    public init(lengths: ClosedRange<Int>, distinctDigits: Int = 1) throws(PinPolicyError) {
        guard Pin.lengths.contains(lengths.lowerBound), Pin.lengths.contains(lengths.upperBound) else {
            throw .lengths
        }
        guard Self.distinctDigitCounts.contains(distinctDigits) else {
            throw .distinctDigits
        }
        self.init(unchecked: lengths, distinctDigits: distinctDigits)
    }

    private init(unchecked lengths: ClosedRange<Int>, distinctDigits: Int = 1) {
        self.lengths = lengths
        self.distinctDigits = distinctDigits
    }

    /// Returns this policy with the demands of the relying party's `policy` in place of its own, where that has any.
    public func following(_ policy: Policy) -> PinPolicy {
        // The lengths and the number of a policy are valid here too.
        PinPolicy(
            unchecked: policy.pinLengths?.range ?? lengths,
            distinctDigits: policy.distinctDigits?.rawValue ?? distinctDigits)
    }

    /// Returns the reasons to refuse `pin`, in a fixed order; none if it may be set.
    ///
    /// A PIN gets every reason that applies from ``CommonPinKind/repetition`` to ``CommonPinKind/date``. The other
    /// kinds are reported only if none of those applies. For example, it does not help a user to read that the run
    /// `123456` is also sorted.
    public func objections(to pin: borrowing Pin) -> [PinObjection] {
        unsafe pin.digits.withUnsafeBytes { ascii in
            var objections: [PinObjection] = []
            if !lengths.contains(ascii.count) { objections.append(.length(allowed: lengths)) }
            // A bit for each digit: a set would leave digits in memory.
            let differentCount = unsafe ascii.reduce(UInt16(0)) { $0 | 1 << UInt16($1 & 0x0F) }.nonzeroBitCount
            let least = min(distinctDigits, ascii.count)
            if differentCount < least { objections.append(.fewDifferentDigits(least: least)) }
            let shape = unsafe PinShape(digits: ascii)
            objections += shape.commonKinds.map(PinObjection.common)
            return objections
        }
    }
}

/// An error that occurs while creating a PIN policy.
public enum PinPolicyError: Error, Hashable, Sendable {
    /// No PIN has some of these lengths: they must be within ``Pin/lengths``.
    case lengths
    /// The number of different digits is not one of ``PinPolicy/distinctDigitCounts``.
    case distinctDigits
}

/// A reason why a new PIN is refused.
public enum PinObjection: Hashable, Sendable {
    /// The PIN is too short or too long for this policy.
    case length(allowed: ClosedRange<Int>)
    /// The PIN has fewer different digits than this policy demands.
    case fewDifferentDigits(least: Int)
    /// The PIN is among those that users choose most and attackers try first.
    case common(CommonPinKind)
    /// At a change of the PIN, the new PIN is the current one.
    case sameAsCurrent
    /// The app's ``PinRule`` refuses the PIN. The value is the reason in a sentence that the user sees.
    case ofApp(String)
}

/// The kinds of common PIN.
public enum CommonPinKind: Hashable, Sendable, CaseIterable {
    /// One digit throughout, or two digits in a PIN of six or more: `7777`, `112122`.
    case repetition
    /// Equal steps up or down, also beyond nine: `1234`, `9876`, `2468`, `8901`.
    case run
    /// A repeated group, or pairs: `1212`, `123123`, `1122`.
    case pattern
    /// The same forwards and backwards: `1221`.
    case palindrome
    /// A year from 1900 to 2029.
    case year
    /// A day of the year, with or without the year, in any usual order.
    case date
    /// Six or more digits that only rise or only fall: `001389`, `998521`.
    case sorted
    /// Six or more digits made of several runs, one after the other or digit by digit: `123789`, `159753`, `102030`,
    /// `142536`.
    case severalRuns
    /// A shape on the digit pad: `2580`, `1236`, `147896`, `1397`, `2684`.
    ///
    /// Either a path from key to neighbouring key, up, down or sideways, that uses no key twice. Or four keys that are
    /// the pad's corners or the middles of its sides.
    case padShape
    /// Among the most frequent PINs, but of no other kind: `5683` spells "love" on a telephone.
    case popular

    /// The kinds that are reported only if no other kind applies.
    package static let lastResorts: [CommonPinKind] = [.sorted, .severalRuns, .padShape, .popular]
}
