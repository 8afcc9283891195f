import Nightlatch

/// Where a pad stands.
enum PinPadStage: Hashable {
    case idle
    case entering(PinChallenge)
    /// As entering, for this reason; nothing else is known, but for the tries that are left after a wrong PIN.
    case collecting(String, triesLeft: Int?)
    /// Whether the person is sure that the PIN is forgotten.
    case confirmingForgotten(PinChallenge)
    case choosing(CreatePinChallenge.Purpose, PinPolicy)
    /// The new PIN is asked for once more.
    case repeating(CreatePinChallenge.Purpose, PinPolicy)
    /// An answer was given, of so many digits; the library will ask again or say how it ended.
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

    /// How many digits may make the PIN; nil where none are taken.
    var lengths: ClosedRange<Int>? {
        switch self {
        case .entering(let challenge): challenge.pinLength.map { $0...$0 } ?? Pin.lengths
        case .collecting: Pin.lengths
        case .choosing(_, let policy), .repeating(_, let policy): policy.lengths
        case .idle, .confirmingForgotten, .busy, .ended: nil
        }
    }

    /// How many digits make the PIN, where there is but one answer.
    var digitCount: Int? {
        if case .busy(_, let typedCount) = self { return typedCount > 0 ? typedCount : nil }
        guard let lengths, lengths.count == 1 else { return nil }
        return lengths.lowerBound
    }

    /// How many PINs may still be tried, once one was wrong.
    var triesLeft: Int? {
        switch self {
        case .entering(let challenge): challenge.failureCount > 0 ? challenge.triesLeft : nil
        case .collecting(_, let triesLeft): triesLeft
        case .idle, .confirmingForgotten, .choosing, .repeating, .busy, .ended: nil
        }
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
