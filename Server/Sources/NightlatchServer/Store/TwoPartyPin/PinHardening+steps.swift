package import NightlatchWire

extension PinHardening {
    /// Carries a step out, or refuses it.
    ///
    /// - Parameters:
    ///   - step: What is to be done.
    ///   - device: The device as it stands in the same transaction.
    ///   - isCodeGood: Whether the step's enrolment code is one of the device's user that the device key may use.
    ///   - now: The store's clock.
    package mutating func take(
        _ step: PinStep,
        of device: RegisteredDevice,
        isCodeGood: Bool,
        at now: NumericDate
    ) -> PinStepResult {
        guard isEntitled(step.signer, to: step.action, on: device) else { return refusal(.notEntitled) }
        guard step.isFresh else { return refusal(.expired) }
        if let bar = device.bar { return refusal(.deviceBarred(bar)) }
        let due = destroyIfDue(at: now) ? [PinStepResult.Event(.pinKeysDestroyed)] : []
        let result =
            switch step.action {
            case .open(let key, let code):
                open(key, by: step.signer, of: device, code: code == nil ? .none : isCodeGood ? .good : .refused)
            case .guess(let guess, let id): charge(guess, id: id, limit: step.guessLimit, at: now)
            case .prove(let proof): prove(proof, by: step.signer)
            case .promote(let promotion): promote(promotion, by: step.signer, of: device)
            case .abandon(let epoch): abandon(epoch, by: step.signer, of: device)
            }
        return PinStepResult(outcome: result.outcome, events: due + result.events, usesCode: result.usesCode)
    }

    /// Whether `key` is one of those that may ask for `action`. Of which of them an action asks in the end is looked at with the action.
    package func isEntitled(_ key: KeyID, to action: PinStep.Action, on device: RegisteredDevice) -> Bool {
        // A request that is asked again may be signed by a key that the first one has replaced.
        let isKnowledgeKey = key == knowledgeKey || key == lastClearing?.signer
        return switch action {
        case .guess: key == device.possessionKey
        case .prove: isKnowledgeKey
        case .open, .promote, .abandon: isKnowledgeKey || key == device.key.thumbprint
        }
    }

    /// Destroys all keys if the last guess was left unproved for too long.
    ///
    /// - Returns: Whether there were any.
    package mutating func destroyIfDue(at now: NumericDate) -> Bool {
        guard let exhaustedAt, exhaustedAt + Self.lastGuessLife < now else { return false }
        return destroy()
    }

    /// Destroys all keys. What was charged was charged for them, so a new window begins.
    ///
    /// - Returns: Whether there were any.
    package mutating func destroy() -> Bool {
        guard current != nil || candidate != nil else { return false }
        current = nil
        candidate = nil
        guesses = []
        exhaustedAt = nil
        window = window.next
        isCodeRequired = true
        return true
    }

    private enum Code {
        case none, good, refused
    }

    private mutating func open(
        _ key: SealedPinKey,
        by signer: KeyID,
        of device: RegisteredDevice,
        code: Code
    ) -> PinStepResult {
        let opener = signer == device.key.thumbprint ? Opener.deviceKey : .knowledgeKey
        if let candidate, candidate.key.epoch == key.epoch, isOpener(signer, of: candidate, on: device) {
            return done(.opened(candidate.key, window: window))
        }
        switch opener {
        case .knowledgeKey:
            guard signer == knowledgeKey else { return refusal(.notEntitled) }
            guard current != nil else { return refusal(.destroyed) }
        case .deviceKey: break
        }
        guard key.epoch == nextEpoch else { return refusal(.epochPassed) }
        let needsCode = isCodeRequired
        switch (opener, code) {
        case (.knowledgeKey, _):
            guard candidate?.opener != .deviceKey else { return refusal(.candidateOpen) }
        case (.deviceKey, _) where !isCodeRequired: break
        case (.deviceKey, .none): return refusal(.codeRequired)
        case (.deviceKey, .refused): return refusal(.codeRefused)
        case (.deviceKey, .good): break
        }
        var events: [PinStepResult.Event] = []
        // Full credentials do not wait for the last guess to be proved, or for its time to be over: the candidate takes a guess.
        if opener == .deviceKey, code == .good, exhaustedAt != nil, destroy() {
            events.append(.init(.pinKeysDestroyed))
        }
        if candidate != nil { events.append(.init(.pinEpochAbandoned)) }
        candidate = Candidate(key: key, opener: opener)
        nextEpoch = nextEpoch.next
        return PinStepResult(
            outcome: .opened(key, window: window), events: events + [.init(.pinEpochOpened)],
            usesCode: opener == .deviceKey && needsCode)
    }

    private mutating func charge(
        _ guess: PinGuess,
        id: PinGuessID,
        limit: Int,
        at now: NumericDate
    ) -> PinStepResult {
        guard current != nil || candidate != nil else { return refusal(withoutKeys) }
        guard let key = key(of: guess.epoch) else { return refusal(.epochPassed) }
        guard guess.window == window else { return refusal(.windowPassed) }
        let element = BlindedElementHash(of: guess.blindedElement)
        let known = guesses.first { $0.epoch == guess.epoch && $0.element == element }
        if known == nil {
            guard guesses.count < min(limit, PinGuessIDs.countLimit) else {
                _ = destroy()
                return refusal(.destroyed, events: [.init(.pinKeysDestroyed)])
            }
            guesses.append(ChargedGuess(id: id, epoch: guess.epoch, element: element))
            if guesses.count >= limit { exhaustedAt = now }
        }
        guard let charged = PinGuessIDs(guesses.map(\.id)) else { return refusal(.destroyed) }
        let outcome = PinStepOutcome.charged(
            ChargedPinGuess(
                id: known?.id ?? id, key: key, window: window, charged: charged,
                triesLeft: max(0, limit - guesses.count)))
        return PinStepResult(
            outcome: outcome, events: known == nil ? [.init(.pinGuessCharged, count: guesses.count)] : [],
            usesCode: false)
    }

    private mutating func prove(_ proof: PinProof, by signer: KeyID) -> PinStepResult {
        if let repeated = repeated(proof.guess, proof.epoch, proof.window, by: signer) { return done(repeated) }
        guard signer == knowledgeKey else { return refusal(.notEntitled) }
        guard let current else { return refusal(withoutKeys) }
        guard proof.epoch == current.epoch else { return refusal(.epochPassed) }
        return clear(proof.guess, proof.epoch, proof.window, by: signer, as: .pinProved)
    }

    private mutating func promote(
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
        let takenKeys = [knowledgeKey, device.key.thumbprint, device.possessionKey]
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

    private mutating func abandon(
        _ epoch: PinEpoch,
        by signer: KeyID,
        of device: RegisteredDevice
    ) -> PinStepResult {
        guard let candidate, candidate.key.epoch == epoch else {
            // What was opened once and is not current never will be.
            return epoch < nextEpoch && epoch != current?.epoch ? done(.abandoned(self)) : refusal(.epochPassed)
        }
        guard isOpener(signer, of: candidate, on: device) else { return refusal(.notEntitled) }
        self.candidate = nil
        return PinStepResult(outcome: .abandoned(self), events: [.init(.pinEpochAbandoned)], usesCode: false)
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

    private func isOpener(_ key: KeyID, of candidate: Candidate, on device: RegisteredDevice) -> Bool {
        switch candidate.opener {
        case .deviceKey: key == device.key.thumbprint
        case .knowledgeKey: key == knowledgeKey
        }
    }

    /// Why there is nothing to ask of a device that has no live epoch.
    private var withoutKeys: PinStepRefusal { isCodeRequired ? .destroyed : .notEnrolled }

    private func done(_ outcome: PinStepOutcome) -> PinStepResult {
        PinStepResult(outcome: outcome, events: [], usesCode: false)
    }

    private func refusal(_ refusal: PinStepRefusal, events: [PinStepResult.Event] = []) -> PinStepResult {
        PinStepResult(outcome: .refused(refusal, self), events: events, usesCode: false)
    }
}
