import NightlatchWire

/// Evaluates each guess only once, however many requests for it arrive at the same time.
///
/// One key therefore makes at most one proof for each guess.
actor PinEvaluations {
    private var underWay: [PinGuessID: Task<Result<ChargedPinGuess, Refusal>, Never>] = [:]

    /// Runs `evaluate`, or awaits the evaluation of `guess` that is in progress.
    ///
    /// The evaluation completes even if the caller is cancelled.
    func evaluated(
        _ guess: PinGuessID,
        _ evaluate: @escaping @Sendable () async throws(Refusal) -> ChargedPinGuess
    ) async throws(Refusal) -> ChargedPinGuess {
        if let task = underWay[guess] { return try await task.value.get() }
        let task = Task { () -> Result<ChargedPinGuess, Refusal> in
            do throws(Refusal) {
                return .success(try await evaluate())
            } catch {
                return .failure(error)
            }
        }
        underWay[guess] = task
        let result = await task.value
        underWay[guess] = nil
        return try result.get()
    }
}
