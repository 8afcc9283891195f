import NightlatchWire

extension PinHardening {
    /// Clears the right guess of the current epoch, and the guesses that the device names as its own.
    ///
    /// All others still count until an epoch is promoted, however often the PIN is proved. Guesses of attackers at one
    /// epoch therefore never exceed the limit.
    mutating func prove(_ proof: PinProof, by signer: KeyID) -> PinStepResult {
        if let repeated = repeated(proof.guess, proof.epoch, proof.window, by: signer) { return done(repeated) }
        guard signer == knowledgeKey else { return refusal(.notEntitled) }
        guard let current else { return refusal(withoutKeys) }
        guard proof.epoch == current.epoch else { return refusal(.epochPassed) }
        let own = Set(proof.own?.ids ?? [])
        return clear(proof.guess, proof.epoch, proof.window, by: signer, as: .pinProved) { !own.contains($0.id) }
    }

    /// Makes the candidate current, destroys the previous epoch, and clears the proved guess and all guesses at other
    /// epochs. Other guesses at the candidate still count.
    mutating func promote(
        _ promotion: PinPromotion,
        by signer: KeyID,
        of device: DeviceRecord
    ) -> PinStepResult {
        if current?.epoch == promotion.epoch, knowledgeKey == promotion.knowledgeKey,
            let repeated = repeated(promotion.guess, promotion.epoch, promotion.window, by: signer)
        {
            return done(repeated)
        }
        guard let candidate else { return refusal(current == nil ? withoutKeys : .epochPassed) }
        guard candidate.key.epoch == promotion.epoch else { return refusal(.epochPassed) }
        guard isOpener(signer, of: candidate, on: device) else { return refusal(.notEntitled) }
        // If an attacker replaced the candidate's public key on the way to the device, the device has sealed its slot
        // under the attacker's key.
        guard promotion.publicKey.map({ $0 == candidate.key.publicKey }) ?? true else { return refusal(.notEntitled) }
        // A key that already has another role does not prove that the PIN was right.
        let takenKeys = [knowledgeKey, device.keyID, device.possessionKey]
        guard !takenKeys.contains(promotion.knowledgeKey) else { return refusal(.notEntitled) }
        let result = clear(
            promotion.guess, promotion.epoch, promotion.window, by: signer, as: .pinEpochPromoted
        ) { $0.epoch == promotion.epoch }
        guard case .cleared = result.outcome else { return result }
        current = candidate.key
        self.candidate = nil
        knowledgeKey = promotion.knowledgeKey
        isCodeRequired = true
        return result
    }

    /// Ends the window, if `guess` was charged for `epoch` in this window.
    ///
    /// - Parameter isKept: Whether another guess still counts afterwards.
    private mutating func clear(
        _ guess: PinGuessID,
        _ epoch: PinEpoch,
        _ provedWindow: PinWindow,
        by signer: KeyID,
        as kind: AuditEvent.Kind,
        keeping isKept: (UnexplainedGuess) -> Bool
    ) -> PinStepResult {
        guard provedWindow == window else { return refusal(.windowPassed) }
        guard guesses.contains(where: { $0.id == guess && $0.epoch == epoch }) else { return refusal(.guessUnknown) }
        let kept = charged.filter { $0.id != guess && isKept($0) }
        guard let cleared = PinGuessIDs(charged.filter { !kept.contains($0) }.map(\.id)) else {
            return refusal(.guessUnknown)
        }
        lastClearing = Clearing(guess: guess, epoch: epoch, window: window, signer: signer, cleared: cleared)
        guesses = []
        unexplained = kept
        exhaustedAt = nil
        window = window.next
        return PinStepResult(
            outcome: .cleared(PinClearedWindow(epoch: epoch, window: window, cleared: cleared)),
            events: [.init(kind, count: cleared.ids.count)], usesCode: false)
    }

    /// The outcome of the latest clearing, if this is the same request again.
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
