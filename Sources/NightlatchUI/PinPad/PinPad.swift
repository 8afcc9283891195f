import Nightlatch

/// A PIN pad as a pure state machine: it takes events and returns effects and the data to draw.
///
/// Every view of a pad draws this machine: SwiftUI, terminal, web page.
///
/// The pad decides nothing about a PIN. The library tests the PIN and states with each challenge how many attempts are
/// left and how long to wait. The pad shows the end of a call only after ``PinPadEvent/end(_:)``. It answers each
/// challenge at most once. Typed digits are in zeroing memory until they are answered or deleted, or the pad is
/// deinitialised.
///
/// A user may type ahead while a PIN is tried or before the question is drawn. The pad keeps these digits and shows
/// them with the next question. It never tries them on its own: while the question is on the screen, the user must
/// press the last digit or ``PinPadKey/submit``. So a fast typist loses no digit, and the pad tries no PIN before the
/// user has seen it entered.
///
/// For a new PIN, the pad asks twice and compares. It applies the library's rules the first time, so that a user does
/// not repeat a PIN that is refused.
public struct PinPad: ~Copyable, Sendable {
    var stage = PinPadStage.idle
    var typed = TypedDigits()
    /// The digits that were typed ahead for the next question. The pad keeps one digit more than the longest PIN has,
    /// to recognise that there are too many.
    var ahead = TypedDigits()
    /// The new PIN as it was typed first, until it is repeated.
    var first: Pin?
    var order = PinPadOrder.telephone
    var message: PinPadDisplay.Message?
    var wait: Duration?

    public init() {}

    /// Handles an event.
    ///
    /// - Returns: The effects to carry out, in this order.
    public mutating func handle(_ event: PinPadEvent) -> [PinPadEffect] {
        switch event {
        case .ask(let challenge, let order): ask(challenge, order)
        case .askNew(let challenge, let order): askNew(challenge, order)
        case .collect(let reason, let last, let order): collect(reason, after: last, order)
        case .collectNew(let policy, let order): chooseNew(.registration, NewPinRules(policy), order)
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
        wait = challenge.attempts.wait.flatMap { $0 > .zero ? $0 : nil }
        take(early)
        switch (challenge.attempts.lastTry, challenge.biometricFailure) {
        case (.wrong(let triesLeft, _), _): message = .wrong(triesLeft: triesLeft)
        case (.waiting, _): message = .tooSoon
        case (_, .cancelled?), (_, .pinChosen?), (_, nil): message = nil
        case (_, let failure?): message = .biometrics(failure)
        }
        return before + (message == nil ? [] : [.feel(.wrong)])
    }

    private mutating func askNew(_ challenge: CreatePinChallenge, _ order: PinPadOrder) -> [PinPadEffect] {
        let before = chooseNew(challenge.purpose, challenge.rules, order)
        guard !challenge.objections.isEmpty else { return before }
        message = .refused(challenge.objections)
        return before + [.feel(.wrong)]
    }

    private mutating func chooseNew(
        _ purpose: CreatePinChallenge.Purpose,
        _ rules: NewPinRules,
        _ order: PinPadOrder
    ) -> [PinPadEffect] {
        let before = withdraw()
        start(.choosing(purpose, rules), order)
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

    /// Answers a pending question as cancelled, and returns to idle.
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
        if case .repeating(let purpose, let rules) = stage { stage = .choosing(purpose, rules) }
        return []
    }
}
