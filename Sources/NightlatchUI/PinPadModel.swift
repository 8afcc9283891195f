import Nightlatch
public import Observation

/// A PIN pad for a screen: it shows the library's questions and answers them with the user's input.
///
/// ```swift
/// @State private var pad = PinPadModel()
///
/// let service = LocalAuthService(profile: alice.id, in: profiles, prompt: pad)
/// ```
///
/// Give a model to a `LocalAuthService` as its prompt and draw the model's ``display``. Report the end of each call
/// with ``end(_:)``. A pad asks one question at a time. A new question replaces a pending one, which is answered as
/// cancelled.
@MainActor @Observable
public final class PinPadModel {
    /// The data to draw.
    public private(set) var display = PinPadDisplay()
    /// The latest feedback for the user. Its number changes each time, so the same feedback twice is noticed twice.
    public private(set) var feedback: Feedback?

    /// One feedback.
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
    /// The number of the latest question. A caller that withdraws late does not withdraw a later question.
    @ObservationIgnored var questionNumber = 0
    @ObservationIgnored private var countdown: Task<Void, Never>?
    let isShuffled: Bool
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a pad.
    ///
    /// - Parameter isShuffled: Whether the digits have a new random order for each question.
    nonisolated public convenience init(isShuffled: Bool = false) {
        self.init(isShuffled: isShuffled) { try await Task.sleep(for: $0) }
    }

    /// - Parameters:
    ///   - isShuffled: Whether the digits have a new random order for each question.
    ///   - sleep: Waits for a duration while a countdown runs.
    nonisolated package init(isShuffled: Bool, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.isShuffled = isShuffled
        self.sleep = sleep
    }

    isolated deinit {
        countdown?.cancel()
        handle(.withdraw)
    }

    /// Handles a key that the user pressed.
    public func press(_ key: PinPadKey) { handle(.press(key)) }

    /// Withdraws the question or the result on the screen. A pending question is answered as cancelled.
    public func withdraw() { handle(.withdraw) }

    /// Discards the typed digits and keeps the question. Call it when the app is hidden, because someone else may open
    /// it next.
    public func clear() { handle(.clear) }

    /// Shows the end of the call that asked for a PIN.
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

    /// Reports passed time each second, by the continuous clock, as long as there is a wait.
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
