import NightlatchWire

extension PinHardening {
    /// Charges a guess if it is new, destroys all keys if no guess is left, or refuses the guess during the wait after
    /// a round.
    mutating func charge(
        _ guess: PinGuess,
        id: PinGuessID,
        under rounds: GuessRounds,
        at time: StepTime
    ) -> PinStepResult {
        guard current != nil || candidate != nil else { return refusal(withoutKeys) }
        guard let key = key(of: guess.epoch) else { return refusal(.epochPassed) }
        guard guess.window == window else { return refusal(.windowPassed) }
        let element = BlindedElementHash(of: guess.blindedElement)
        if let known = guesses.first(where: { $0.epoch == guess.epoch && $0.element == element }) {
            return charged(known, key: key, under: rounds, at: time)
        }
        let limit = rounds.limit.count
        guard count < min(limit, PinGuessIDs.countLimit) else {
            _ = destroy()
            return refusal(.destroyed, events: [.init(.pinKeysDestroyed)])
        }
        if let wait = wait(under: rounds, at: time) { return refusal(.waiting(wait)) }
        let new = ChargedGuess(id: id, epoch: guess.epoch, element: element, chargedAt: time.now)
        guesses.append(new)
        exhaustedAt = count >= limit ? time.now : nil
        return charged(new, key: key, under: rounds, at: time, events: [.init(.pinGuessCharged, count: count)])
    }

    /// The time until another guess may be charged; nil if one may be charged now.
    ///
    /// A wait begins with the last guess of its round. That is the newest guess that counts, so a proof that removes
    /// the owner's guesses begins no wait again.
    func wait(under rounds: GuessRounds, at time: StepTime) -> PinWait? {
        guard let wait = rounds.wait(after: count) else { return nil }
        let newest = if let guess = guesses.last { guess.chargedAt } else { unexplained.last?.chargedAt }
        let chargedAt = newest.flatMap(time.moment) ?? time.now
        let left = chargedAt + wait - time.now
        return PinWait(seconds: min(Int(left.components.seconds), PinWait.longestSeconds))
    }

    /// Gives the current time to guesses with a time in the future, which were charged while the clock was ahead, and
    /// to guesses without a time. Otherwise a wait could last until a time that is years away.
    mutating func boundTimes(at time: StepTime) {
        for place in guesses.indices where guesses[place].chargedAt.flatMap(time.moment) == nil {
            guesses[place].chargedAt = time.now
        }
        for place in unexplained.indices where unexplained[place].chargedAt.flatMap(time.moment) == nil {
            unexplained[place].chargedAt = time.now
        }
    }

    /// Records the evaluation of a guess of this window. If the guess already has an evaluation, keeps that evaluation.
    mutating func keep(
        _ evaluation: PinGuessEvaluation,
        of guess: ChargedPinGuess,
        under rounds: GuessRounds,
        at time: StepTime
    ) -> PinStepResult {
        guard current != nil || candidate != nil else { return refusal(withoutKeys) }
        guard let key = key(of: guess.key.epoch) else { return refusal(.epochPassed) }
        guard guess.window == window else { return refusal(.windowPassed) }
        guard let index = guesses.firstIndex(where: { $0.id == guess.id && $0.epoch == key.epoch }) else {
            return refusal(.guessUnknown)
        }
        if guesses[index].evaluation == nil { guesses[index].evaluation = evaluation }
        return charged(guesses[index], key: key, under: rounds, at: time)
    }

    private func charged(
        _ guess: ChargedGuess,
        key: SealedPinKey,
        under rounds: GuessRounds,
        at time: StepTime,
        events: [PinStepResult.Event] = []
    ) -> PinStepResult {
        guard let all = PinGuessIDs(charged.map(\.id)) else { return refusal(.destroyed) }
        let outcome = PinStepOutcome.charged(
            ChargedPinGuess(
                id: guess.id, key: key, window: window, charged: all,
                triesLeft: max(0, rounds.limit.count - count), wait: wait(under: rounds, at: time),
                evaluation: guess.evaluation))
        return PinStepResult(outcome: outcome, events: events, usesCode: false)
    }
}
