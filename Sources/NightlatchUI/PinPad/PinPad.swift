import Nightlatch

/// The pad for a PIN, as a pure state machine: it takes events, gives effects, and says what is to be drawn. Every view of a pad draws
/// this one: SwiftUI, terminal, web page.
///
/// It decides nothing about a PIN. Whether one is right, how many tries are left and how long to wait, the library says with each
/// challenge; that the vault is open, it shows when it was told so (``PinPadEvent/end(_:)``) and never by itself. Each challenge gets one
/// answer at most. The digits are held in zeroing memory until they are answered, taken back, or the pad goes.
///
/// What a person types ahead, while a PIN is tried or before the question is drawn, is kept whole for the next PIN that they are asked for,
/// and its circles are filled then. It is tried only after a key that they press with the question before them: the last digit, or
/// ``PinPadKey/submit``. So a fast typist loses no digit, and no PIN is tried that was not seen to be entered.
///
/// While a PIN is chosen the pad asks for it twice and compares the two. A PIN that the policy would refuse is refused the first time,
/// by the library's own rule, so that nobody types twice what cannot be.
public struct PinPad: ~Copyable, Sendable {
    var stage = PinPadStage.idle
    var typed = TypedDigits()
    /// What was typed ahead, for the next question. One digit more than any PIN has stands for too many.
    var ahead = TypedDigits()
    /// The new PIN as it was typed first, while it is asked for once more.
    var first: Pin?
    var order = PinPadOrder.telephone
    var message: PinPadDisplay.Message?
    var wait: Duration?

    public init() {}

    /// Takes an event.
    ///
    /// - Returns: What is to be done, in this order.
    public mutating func handle(_ event: PinPadEvent) -> [PinPadEffect] {
        switch event {
        case .ask(let challenge, let order): ask(challenge, order)
        case .askNew(let challenge, let order): askNew(challenge, order)
        case .collect(let reason, let last, let order): collect(reason, after: last, order)
        case .collectNew(let policy, let order): chooseNew(.registration, policy, order)
        case .press(let key): press(key)
        case .typeAhead(let key): typeAhead(key)
        case .pass(let time): pass(time)
        case .clear: clear()
        case .withdraw: withdraw()
        case .end(let end): self.end(end)
        }
    }

    private mutating func ask(_ challenge: PinChallenge, _ order: PinPadOrder) -> [PinPadEffect] {
        var early = TypedDigits()
        swap(&early, &ahead)
        let before = withdraw()
        start(.entering(challenge), order)
        wait = challenge.wait.flatMap { $0 > .zero ? $0 : nil }
        take(early)
        switch (challenge.lastTry, challenge.biometricFailure) {
        case (.wrong(let triesLeft, _), _): message = .wrong(triesLeft: triesLeft)
        case (.waiting, _): message = .tooSoon
        case (_, .cancelled?), (_, .pinChosen?), (_, nil): message = nil
        case (_, let failure?): message = .biometrics(failure)
        }
        return before + (message == nil ? [] : [.feel(.wrong)])
    }

    private mutating func askNew(_ challenge: CreatePinChallenge, _ order: PinPadOrder) -> [PinPadEffect] {
        let before = chooseNew(challenge.purpose, challenge.policy, order)
        guard !challenge.objections.isEmpty else { return before }
        message = .refused(challenge.objections)
        return before + [.feel(.wrong)]
    }

    private mutating func chooseNew(
        _ purpose: CreatePinChallenge.Purpose,
        _ policy: PinPolicy,
        _ order: PinPadOrder
    ) -> [PinPadEffect] {
        let before = withdraw()
        start(.choosing(purpose, policy), order)
        return before
    }

    private mutating func collect(
        _ reason: String,
        after last: PinPadDisplay.Message?,
        _ order: PinPadOrder
    ) -> [PinPadEffect] {
        var early = TypedDigits()
        swap(&early, &ahead)
        let before = withdraw()
        start(.collecting(reason, triesLeft: last?.triesLeft), order)
        take(early)
        message = last
        return before + (last == nil ? [] : [.feel(.wrong)])
    }

    private mutating func end(_ end: PinPadEnd) -> [PinPadEffect] {
        let before = withdraw()
        start(.ended(end), .telephone)
        switch end {
        case .unlocked, .pinSet: return before + [.feel(.success)]
        case .cancelled: return before
        case .blocked, .erased, .missing, .failed: return before + [.feel(.wrong)]
        }
    }

    /// Answers for a person who is not asked any more.
    mutating func withdraw() -> [PinPadEffect] {
        let effects: [PinPadEffect] =
            switch stage {
            case .entering, .collecting, .confirmingForgotten: [.answer(.cancelled)]
            case .choosing, .repeating: [.answerNew(.cancelled)]
            case .idle, .busy, .ended: []
            }
        start(.idle, order)
        return effects
    }

    mutating func start(_ stage: PinPadStage, _ order: PinPadOrder) {
        self.stage = stage
        self.order = order
        typed.removeAll()
        ahead.removeAll()
        first = nil
        message = nil
        wait = nil
    }

    private mutating func pass(_ time: Duration) -> [PinPadEffect] {
        if let left = wait { wait = left > time ? left - time : nil }
        return []
    }

    private mutating func clear() -> [PinPadEffect] {
        typed.removeAll()
        ahead.removeAll()
        first = nil
        if case .repeating(let purpose, let policy) = stage { stage = .choosing(purpose, policy) }
        return []
    }
}
