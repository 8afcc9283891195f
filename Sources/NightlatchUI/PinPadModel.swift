public import Nightlatch
public import Observation

/// A pad for the screen: shows what the library asks for and answers what the person does.
///
/// ```swift
/// @State private var pad = PinPadModel()
///
/// let service = LocalAuthService(profile: alice.id, in: profiles, prompt: pad)
/// ```
///
/// Give one to a `LocalAuthService` as its prompt and draw its ``display``; ``end(_:)`` tells it how the call ended. It asks one thing
/// at a time: whoever asks while it waits for an answer takes its place, and the other is answered that the person cancelled.
@MainActor @Observable
public final class PinPadModel: PinPrompt {
    /// What is to be drawn.
    public private(set) var display = PinPadDisplay()
    /// What the person is to feel, with a number that is new each time, so that the same twice is felt twice.
    public private(set) var feedback: Feedback?

    /// One thing to be felt.
    public struct Feedback: Hashable, Sendable {
        public let kind: PinPadFeedback
        public let number: Int

        package init(kind: PinPadFeedback, number: Int) {
            self.kind = kind
            self.number = number
        }
    }

    @ObservationIgnored private var pad = PinPad()
    @ObservationIgnored private var answer: CheckedContinuation<PinAnswer, Never>?
    @ObservationIgnored private var newAnswer: CheckedContinuation<CreatePinAnswer, Never>?
    @ObservationIgnored private var countdown: Task<Void, Never>?
    private let isShuffled: Bool
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter isShuffled: Whether the digits stand in another order each time.
    nonisolated public convenience init(isShuffled: Bool = false) {
        self.init(isShuffled: isShuffled) { try await Task.sleep(for: $0) }
    }

    /// - Parameters:
    ///   - isShuffled: Whether the digits stand in another order each time.
    ///   - sleep: Waits while a countdown runs.
    nonisolated package init(isShuffled: Bool, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.isShuffled = isShuffled
        self.sleep = sleep
    }

    isolated deinit {
        countdown?.cancel()
        handle(.withdraw)
    }

    /// The person pressed a key.
    public func press(_ key: PinPadKey) { handle(.press(key)) }

    /// Takes away what is asked or shown. Whoever waits for an answer is answered that the person cancelled.
    public func withdraw() { handle(.withdraw) }

    /// Shows how the call ended that asked for a PIN.
    public func end(_ end: PinPadEnd) { handle(.end(end)) }

    @MainActor
    public func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
        await answer(to: .ask(challenge, newOrder()))
    }

    /// Asks for a PIN of which nothing else is known: neither how long it is nor how many tries are left.
    ///
    /// - Parameter reason: Why, in a sentence that the person is shown.
    /// - Returns: What was typed, or nil if the person has cancelled, or whoever waits for the answer. Then show how it ended
    ///   (``end(_:)``) or ask again.
    public func collectPin(reason: String) async -> PinBox? {
        guard case .pin(let box) = await answer(to: .collect(reason: reason, newOrder())) else { return nil }
        return box
    }

    private func answer(to question: PinPadEvent) async -> PinAnswer {
        handle(.withdraw)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer = continuation
                handle(question)
                // The handler below may have come before there was anybody to answer for.
                if Task.isCancelled { handle(.withdraw) }
            }
        } onCancel: {
            Task { @MainActor in self.handle(.withdraw) }
        }
    }

    @MainActor
    public func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer {
        handle(.withdraw)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                newAnswer = continuation
                handle(.askNew(challenge, newOrder()))
                if Task.isCancelled { handle(.withdraw) }
            }
        } onCancel: {
            Task { @MainActor in self.handle(.withdraw) }
        }
    }

    private func newOrder() -> PinPadOrder {
        var generator = SystemRandomNumberGenerator()
        return isShuffled ? .shuffled(using: &generator) : .telephone
    }

    private func handle(_ event: PinPadEvent) {
        let effects = pad.handle(event)
        display = pad.display
        for effect in effects {
            switch effect {
            case .answer(let given): answer.take()?.resume(returning: given)
            case .answerNew(let given): newAnswer.take()?.resume(returning: given)
            case .feel(let kind): feedback = Feedback(kind: kind, number: (feedback?.number ?? 0) + 1)
            }
        }
        keepCountingDown()
    }

    /// Lets time pass second by second, by the continuous clock, for as long as there is a wait.
    private func keepCountingDown() {
        guard display.countdown != nil else {
            countdown?.cancel()
            countdown = nil
            return
        }
        guard countdown == nil else { return }
        countdown = Task { [weak self, sleep] in
            var last = ContinuousClock.now
            while !Task.isCancelled {
                do {
                    try await sleep(.seconds(1))
                } catch {
                    return
                }
                let now = ContinuousClock.now
                self?.handle(.pass(now - last))
                last = now
            }
        }
    }
}
