public import Nightlatch

/// All data that a view draws of a pad. It contains no typed digit.
public struct PinPadDisplay: Hashable, Sendable {
    /// The pad's question or result.
    public enum Title: Hashable, Sendable {
        /// The pad asks for nothing.
        case idle
        case enterPin(PinChallenge.Purpose)
        case choosePin(CreatePinChallenge.Purpose)
        /// Asks for the new PIN again.
        case repeatPin
        /// Asks whether the PIN is really forgotten and to be given up.
        case reallyForgotten
        case ended(PinPadEnd)
    }

    /// The message beside the title.
    public enum Message: Hashable, Sendable {
        /// The last PIN was wrong.
        case wrong(triesLeft: Int)
        /// The last PIN was typed during a wait and was not tried.
        case tooSoon
        /// Biometrics did not unlock the vault.
        case biometrics(BiometricError)
        /// The two new PINs differ.
        case mismatch
        /// The new PIN is refused, for each of these reasons.
        case refused([PinObjection])

        /// The number of PIN attempts left. Nil for other messages.
        var triesLeft: Int? {
            if case .wrong(let triesLeft) = self { triesLeft } else { nil }
        }
    }

    public internal(set) var title = Title.idle
    public internal(set) var message: Message?
    /// The number of PIN attempts left. Nil if no PIN was wrong yet.
    public internal(set) var triesLeft: Int?
    /// The effect of the next wrong PIN, if only one attempt is left. Nil if more are left, or if the effect is
    /// unknown.
    public internal(set) var lastAttempt: LockoutEnd?
    /// The time until the next PIN may be typed. Nil if there is no wait.
    public internal(set) var countdown: Duration?
    /// The number of typed digits. While an answer is pending, the number of its digits, so that the user sees the last
    /// circle filled.
    public internal(set) var typedCount = 0
    /// The number of digits of the PIN. Nil if the pad does not know it.
    public internal(set) var digitCount: Int?
    public internal(set) var order = PinPadOrder.telephone
    /// The keys that are enabled.
    public internal(set) var keys: Set<PinPadKey> = []
    /// The keys beside the digits, whether or not they are enabled.
    public internal(set) var offeredKeys: Set<PinPadKey> = []
    /// Whether an answer is pending.
    public internal(set) var isBusy = false

    public init() {}

    /// The number of circles. If the pad does not know the length of the PIN, there is one empty circle as long as more
    /// digits may be typed.
    public var circleCount: Int {
        if let digitCount { return digitCount }
        let mayTypeMore = keys.contains { if case .digit = $0 { true } else { false } }
        return typedCount + (mayTypeMore || typedCount == 0 ? 1 : 0)
    }

    /// Whether pressing the key has an effect. Enabled keys have one, and so have digits typed ahead while a PIN is
    /// tried.
    public func takes(_ key: PinPadKey) -> Bool {
        guard !keys.contains(key) else { return true }
        guard isBusy, case .enterPin = title, case .digit = key else { return false }
        return true
    }

    /// Whether the pad has this key at all, enabled or not. Views leave other keys of a keyboard to the system.
    public func hasKey(_ key: PinPadKey) -> Bool {
        if case .digit = key { title.isTypedAt } else { offeredKeys.contains(key) }
    }
}
