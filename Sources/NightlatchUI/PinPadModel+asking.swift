public import Nightlatch

/// Questions of the library and of the app. Each question gets one answer.
extension PinPadModel: PinPrompt {
    @MainActor
    public func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
        await answer(to: .ask(challenge, newOrder()))
    }

    /// Asks for a PIN of unknown length, without a profile.
    ///
    /// After it, call ``end(_:)`` to show the result, or ask again.
    ///
    /// - Parameters:
    ///   - reason: The reason, as a sentence for the user.
    ///   - last: The result of the previous attempt, such as a wrong PIN. The pad shows it and gives feedback.
    /// - Returns: The PIN, or nil if the user or the calling task cancelled.
    public func collectPin(reason: String, after last: PinPadDisplay.Message? = nil) async -> PinBox? {
        guard case .pin(let box) = await answer(to: .collect(reason: reason, after: last, newOrder())) else {
            return nil
        }
        return box
    }

    /// Asks twice for a new PIN that belongs to no profile, under a policy.
    ///
    /// - Parameter policy: The rules for the PIN.
    /// - Returns: The PIN, or nil if the user or the calling task cancelled.
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
                // The cancellation handler may have run before the continuation existed.
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

    /// Answers an earlier question as cancelled, and returns the number of the new one.
    private func begin() -> Int {
        // Withdraws only a question whose caller still waits. Withdrawing without one would discard the digits that the
        // user typed ahead for this question.
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
