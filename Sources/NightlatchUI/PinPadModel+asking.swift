public import Nightlatch

/// What the library asks, and what an app asks beside it. Each question is answered once.
extension PinPadModel: PinPrompt {
    @MainActor
    public func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
        await answer(to: .ask(challenge, newOrder()))
    }

    /// Asks for a PIN of which nothing else is known: not even how long it is.
    ///
    /// - Parameters:
    ///   - reason: Why, in a sentence that the person is shown.
    ///   - last: What became of the PIN before: above all that it was wrong. It is shown and felt.
    /// - Returns: What was typed, or nil if the person has cancelled, or whoever waits for the answer. Then show how it ended
    ///   (``end(_:)``) or ask again.
    public func collectPin(reason: String, after last: PinPadDisplay.Message? = nil) async -> PinBox? {
        guard case .pin(let box) = await answer(to: .collect(reason: reason, after: last, newOrder())) else {
            return nil
        }
        return box
    }

    /// Asks for a new PIN that is nobody's profile's: twice, and under a policy, as for any other.
    ///
    /// - Parameter policy: Which PINs may be set.
    /// - Returns: What was typed, or nil if the person has cancelled, or whoever waits for the answer.
    public func collectNewPin(policy: PinPolicy) async -> PinBox? {
        guard case .pin(let box) = await newAnswer(to: .collectNew(policy, newOrder())) else { return nil }
        return box
    }

    private func answer(to question: PinPadEvent) async -> PinAnswer {
        let number = begin()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer = continuation
                handle(question)
                // The handler below may have come before there was anybody to answer for.
                if Task.isCancelled { handle(.withdraw) }
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(number) }
        }
    }

    @MainActor
    public func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer {
        await newAnswer(to: .askNew(challenge, newOrder()))
    }

    private func newAnswer(to question: PinPadEvent) async -> CreatePinAnswer {
        let number = begin()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                newAnswer = continuation
                handle(question)
                if Task.isCancelled { handle(.withdraw) }
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(number) }
        }
    }

    /// Answers for whoever has asked before, and returns the number of what is asked now.
    private func begin() -> Int {
        // Without such a caller the pad may hold what was typed ahead for this question.
        if answer != nil || newAnswer != nil { handle(.withdraw) }
        questionNumber += 1
        return questionNumber
    }

    private func withdraw(_ number: Int) {
        if number == questionNumber { handle(.withdraw) }
    }

    private func newOrder() -> PinPadOrder {
        var generator = SystemRandomNumberGenerator()
        return isShuffled ? .shuffled(using: &generator) : .telephone
    }
}
