import Nightlatch
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
public final class PinPadModel {
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
    @ObservationIgnored var answer: CheckedContinuation<PinAnswer, Never>?
    @ObservationIgnored var newAnswer: CheckedContinuation<CreatePinAnswer, Never>?
    /// The number of what was asked last, so that who withdraws late takes away nothing that others have asked since.
    @ObservationIgnored var questionNumber = 0
    @ObservationIgnored private var countdown: Task<Void, Never>?
    let isShuffled: Bool
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

    /// Forgets what was typed, and goes on asking: for when the app is not seen any more, and somebody else may be who comes back to it.
    public func clear() { handle(.clear) }

    /// Shows how the call ended that asked for a PIN.
    public func end(_ end: PinPadEnd) { handle(.end(end)) }

    func handle(_ event: PinPadEvent) {
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
