import Nightlatch

/// The state of a pad.
enum PinPadStage: Hashable {
    case idle
    case entering(PinChallenge)
    /// Entering a PIN for this reason. Nothing else is known, except the attempts left after a wrong PIN.
    case collecting(String, triesLeft: Int?)
    /// Asking whether the user really forgot the PIN.
    case confirmingForgotten(PinChallenge)
    case choosing(CreatePinChallenge.Purpose, NewPinRules)
    /// Asking for the new PIN again.
    case repeating(CreatePinChallenge.Purpose, NewPinRules)
    /// An answer with this number of digits is pending. The library will ask again or end the call.
    case busy(PinPadDisplay.Title, typedCount: Int)
    case ended(PinPadEnd)

    var title: PinPadDisplay.Title {
        switch self {
        case .idle: .idle
        case .entering(let challenge): .enterPin(challenge.purpose)
        case .collecting(let reason, triesLeft: _): .enterPin(.unlock(reason: reason))
        case .confirmingForgotten: .reallyForgotten
        case .choosing(let purpose, _): .choosePin(purpose)
        case .repeating: .repeatPin
        case .busy(let title, typedCount: _): title
        case .ended(let end): .ended(end)
        }
    }

    /// The allowed lengths of the PIN. Nil if no digits are accepted.
    var lengths: ClosedRange<Int>? {
        switch self {
        case .entering(let challenge): challenge.pinLength.map { $0...$0 } ?? Pin.lengths
        case .collecting: Pin.lengths
        case .choosing(_, let rules), .repeating(_, let rules): rules.policy.lengths
        case .idle, .confirmingForgotten, .busy, .ended: nil
        }
    }

    /// The exact length of the PIN, if there is one.
    var digitCount: Int? {
        if case .busy(_, let typedCount) = self { return typedCount > 0 ? typedCount : nil }
        guard let lengths, lengths.count == 1 else { return nil }
        return lengths.lowerBound
    }

    /// The number of PIN attempts left. Nil if no PIN was wrong yet.
    var triesLeft: Int? {
        switch self {
        case .entering(let challenge): challenge.attempts.failureCount > 0 ? challenge.attempts.triesLeft : nil
        case .collecting(_, let triesLeft): triesLeft
        case .idle, .confirmingForgotten, .choosing, .repeating, .busy, .ended: nil
        }
    }

    /// The effect of the next wrong PIN, if the pad asks for the last attempt.
    var lastAttempt: LockoutEnd? {
        guard case .entering(let challenge) = self, challenge.attempts.triesLeft == 1 else { return nil }
        return challenge.attempts.end
    }

    /// The keys beside the digits.
    var offeredKeys: Set<PinPadKey> {
        var keys: Set<PinPadKey>
        switch self {
        case .entering(let challenge):
            keys = [.delete, .cancel, .forgotten]
            if challenge.offersBiometrics { keys.insert(.biometrics) }
        case .collecting, .choosing, .repeating: keys = [.delete, .cancel]
        case .confirmingForgotten: return [.cancel, .giveUp]
        case .idle, .busy, .ended: return []
        }
        if digitCount == nil { keys.insert(.submit) }
        return keys
    }
}
