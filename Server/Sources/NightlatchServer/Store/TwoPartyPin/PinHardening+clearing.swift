import NightlatchWire

extension PinHardening {
    /// Clears the count for a guess of the current epoch.
    mutating func prove(_ proof: PinProof, by signer: KeyID) -> PinStepResult {
        if let repeated = repeated(proof.guess, proof.epoch, proof.window, by: signer) { return done(repeated) }
        guard signer == knowledgeKey else { return refusal(.notEntitled) }
        guard let current else { return refusal(withoutKeys) }
        guard proof.epoch == current.epoch else { return refusal(.epochPassed) }
        return clear(proof.guess, proof.epoch, proof.window, by: signer, as: .pinProved)
    }

    /// Makes the candidate current, which destroys the epoch before.
    mutating func promote(
        _ promotion: PinPromotion,
        by signer: KeyID,
        of device: RegisteredDevice
    ) -> PinStepResult {
        if current?.epoch == promotion.epoch, knowledgeKey == promotion.knowledgeKey,
            let repeated = repeated(promotion.guess, promotion.epoch, promotion.window, by: signer)
        {
            return done(repeated)
        }
        guard let candidate else { return refusal(current == nil ? withoutKeys : .epochPassed) }
        guard candidate.key.epoch == promotion.epoch else { return refusal(.epochPassed) }
        guard isOpener(signer, of: candidate, on: device) else { return refusal(.notEntitled) }
        // A key that has another role already would prove less than a PIN.
        let takenKeys = [knowledgeKey, device.keyID, device.possessionKey]
        guard !takenKeys.contains(promotion.knowledgeKey) else { return refusal(.notEntitled) }
        let result = clear(
            promotion.guess, promotion.epoch, promotion.window, by: signer, as: .pinEpochPromoted)
        guard case .cleared = result.outcome else { return result }
        current = candidate.key
        self.candidate = nil
        knowledgeKey = promotion.knowledgeKey
        isCodeRequired = true
        return result
    }

    /// Ends the window, if the guess was charged in it for the epoch.
    private mutating func clear(
        _ guess: PinGuessID,
        _ epoch: PinEpoch,
        _ provedWindow: PinWindow,
        by signer: KeyID,
        as kind: AuditEvent.Kind
    ) -> PinStepResult {
        guard provedWindow == window else { return refusal(.windowPassed) }
        guard guesses.contains(where: { $0.id == guess && $0.epoch == epoch }),
            let cleared = PinGuessIDs(guesses.map(\.id))
        else { return refusal(.guessUnknown) }
        lastClearing = Clearing(guess: guess, epoch: epoch, window: window, signer: signer, cleared: cleared)
        guesses = []
        exhaustedAt = nil
        window = window.next
        return PinStepResult(
            outcome: .cleared(PinClearedWindow(epoch: epoch, window: window, cleared: cleared)),
            events: [.init(kind, count: cleared.ids.count)], usesCode: false)
    }

    /// What was answered to the very request that cleared the count last.
    private func repeated(
        _ guess: PinGuessID,
        _ epoch: PinEpoch,
        _ window: PinWindow,
        by signer: KeyID
    ) -> PinStepOutcome? {
        guard let last = lastClearing, last.guess == guess, last.epoch == epoch, last.window == window,
            last.signer == signer
        else { return nil }
        return .cleared(PinClearedWindow(epoch: epoch, window: window.next, cleared: last.cleared))
    }
}
