import NightlatchWire

extension PinHardening {
    /// Charges a guess if it is new, or destroys all keys if no guess is left.
    mutating func charge(
        _ guess: PinGuess,
        id: PinGuessID,
        limit: Int,
        at now: NumericDate
    ) -> PinStepResult {
        guard current != nil || candidate != nil else { return refusal(withoutKeys) }
        guard let key = key(of: guess.epoch) else { return refusal(.epochPassed) }
        guard guess.window == window else { return refusal(.windowPassed) }
        let element = BlindedElementHash(of: guess.blindedElement)
        if let known = guesses.first(where: { $0.epoch == guess.epoch && $0.element == element }) {
            return charged(known, key: key, limit: limit)
        }
        guard count < min(limit, PinGuessIDs.countLimit) else {
            _ = destroy()
            return refusal(.destroyed, events: [.init(.pinKeysDestroyed)])
        }
        let new = ChargedGuess(id: id, epoch: guess.epoch, element: element)
        guesses.append(new)
        exhaustedAt = count >= limit ? now : nil
        return charged(new, key: key, limit: limit, events: [.init(.pinGuessCharged, count: count)])
    }

    /// Records the evaluation of a guess of this window. If the guess already has an evaluation, keeps that evaluation.
    mutating func keep(_ evaluation: PinGuessEvaluation, of guess: ChargedPinGuess, limit: Int) -> PinStepResult {
        guard current != nil || candidate != nil else { return refusal(withoutKeys) }
        guard let key = key(of: guess.key.epoch) else { return refusal(.epochPassed) }
        guard guess.window == window else { return refusal(.windowPassed) }
        guard let index = guesses.firstIndex(where: { $0.id == guess.id && $0.epoch == key.epoch }) else {
            return refusal(.guessUnknown)
        }
        if guesses[index].evaluation == nil { guesses[index].evaluation = evaluation }
        return charged(guesses[index], key: key, limit: limit)
    }

    private func charged(
        _ guess: ChargedGuess,
        key: SealedPinKey,
        limit: Int,
        events: [PinStepResult.Event] = []
    ) -> PinStepResult {
        guard let all = PinGuessIDs(charged.map(\.id)) else { return refusal(.destroyed) }
        let outcome = PinStepOutcome.charged(
            ChargedPinGuess(
                id: guess.id, key: key, window: window, charged: all, triesLeft: max(0, limit - count),
                evaluation: guess.evaluation))
        return PinStepResult(outcome: outcome, events: events, usesCode: false)
    }
}
