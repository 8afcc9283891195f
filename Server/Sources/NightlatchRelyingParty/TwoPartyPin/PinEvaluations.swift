import NightlatchWire

/// Has each guess evaluated once, however many ask for it at the same time: the proofs that can be had under one key are then as few as its guesses.
actor PinEvaluations {
    private var underWay: [PinGuessID: Task<Result<ChargedPinGuess, Refusal>, Never>] = [:]

    /// What `evaluate` gives; if it is under way already for `guess`, what that gives. Who asks may go away: it is finished all the same.
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
