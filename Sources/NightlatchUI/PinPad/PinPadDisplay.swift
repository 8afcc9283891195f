public import Nightlatch

/// All that a view draws of a pad. No digit that was typed is in it.
public struct PinPadDisplay: Hashable, Sendable {
    /// What the pad asks for or tells.
    public enum Title: Hashable, Sendable {
        /// Nobody asks for anything.
        case idle
        case enterPin(PinChallenge.Purpose)
        case choosePin(CreatePinChallenge.Purpose)
        /// The same PIN once more.
        case repeatPin
        /// Whether the PIN is really forgotten and to be given up.
        case reallyForgotten
        case ended(PinPadEnd)
    }

    /// What the person is told beside it.
    public enum Message: Hashable, Sendable {
        /// The last PIN was wrong.
        case wrong(triesLeft: Int)
        /// The last PIN came too soon and was not tried.
        case tooSoon
        /// Biometrics were asked for and did not open.
        case biometrics(BiometricError)
        /// The two new PINs were not the same.
        case mismatch
        /// The new PIN may not be set, for each of these reasons.
        case refused([PinObjection])

        /// How many PINs may still be tried, where the message is about that.
        var triesLeft: Int? {
            if case .wrong(let triesLeft) = self { triesLeft } else { nil }
        }
    }

    public internal(set) var title = Title.idle
    public internal(set) var message: Message?
    /// How many PINs may still be tried; nil where that is of no interest, because none was wrong yet.
    public internal(set) var triesLeft: Int?
    /// How long no PIN is tried; nil if one may be typed now.
    public internal(set) var countdown: Duration?
    /// How many digits were typed. While an answer is on its way, how many it has, so that the last circle is seen to fill.
    public internal(set) var typedCount = 0
    /// How many digits the PIN has; nil where the pad does not know.
    public internal(set) var digitCount: Int?
    public internal(set) var order = PinPadOrder.telephone
    /// What may be pressed now.
    public internal(set) var keys: Set<PinPadKey> = []
    /// Which of the keys beside the digits there are, whether or not they may be pressed now.
    public internal(set) var offeredKeys: Set<PinPadKey> = []
    /// Whether an answer is on its way.
    public internal(set) var isBusy = false

    public init() {}

    /// How many circles there are: where the pad does not know how long the PIN is, one more than are filled while more may be typed,
    /// so that there is always one to see.
    public var circleCount: Int {
        if let digitCount { return digitCount }
        let mayTypeMore = keys.contains { if case .digit = $0 { true } else { false } }
        return typedCount + (mayTypeMore || typedCount == 0 ? 1 : 0)
    }

    /// Whether the pad does something with the key now: it may be pressed, or it is a digit that is typed ahead while a PIN is tried.
    public func takes(_ key: PinPadKey) -> Bool {
        guard !keys.contains(key) else { return true }
        guard isBusy, case .enterPin = title, case .digit = key else { return false }
        return true
    }

    /// Whether the pad has such a key at all, whether or not it may be pressed now. What it has not is for others to take.
    public func hasKey(_ key: PinPadKey) -> Bool {
        if case .digit = key { title.isTypedAt } else { offeredKeys.contains(key) }
    }
}
