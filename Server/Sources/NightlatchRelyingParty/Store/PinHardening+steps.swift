package import NightlatchWire

extension PinHardening {
    /// Carries out a step, or refuses it.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - device: The device as read in the same transaction.
    ///   - isCodeGood: Whether the step's enrolment code is an unused code of the device's user.
    ///   - time: The store's clock.
    package mutating func take(
        _ step: PinStep,
        of device: DeviceRecord,
        isCodeGood: Bool,
        at time: StepTime
    ) -> PinStepResult {
        guard isEntitled(step.signer, as: step.action.role, on: device) else { return refusal(.notEntitled) }
        if let stop = device.stop { return refusal(.deviceStopped(stop)) }
        let (rounds, limit) = (step.rounds, step.rounds.limit.count)
        let due =
            destroyIfDue(at: time.now, limit: limit) ? [PinStepResult.Event(.pinKeysDestroyed, by: .server)] : []
        if !rounds.waits.isEmpty { boundTimes(at: time) }
        let result =
            switch step.action {
            case .open(let key, let code):
                open(key, by: step.signer, of: device, code, self.code(code, isGood: isCodeGood), limit: limit)
            case .guess(let guess, let id): charge(guess, id: id, under: rounds, at: time)
            case .keep(let evaluation, let guess): keep(evaluation, of: guess, under: rounds, at: time)
            case .prove(let proof): prove(proof, by: step.signer)
            case .promote(let promotion): promote(promotion, by: step.signer, of: device)
            case .abandon(let epoch): abandon(epoch, by: step.signer, of: device)
            }
        return PinStepResult(outcome: result.outcome, events: due + result.events, usesCode: result.usesCode)
    }

    /// Whether `key` may sign in `role`. Each action then checks which of these keys it requires.
    package func isEntitled(_ key: KeyID, as role: PinStep.Role, on device: DeviceRecord) -> Bool {
        // A repeated request may be signed by a key that the first request replaced.
        let isKnowledgeKey = key == knowledgeKey || key == lastClearing?.signer
        return switch role {
        case .guesser: key == device.possessionKey
        case .prover: isKnowledgeKey
        case .opener: isKnowledgeKey || key == device.keyID
        }
    }

    private enum Code {
        case none, good, refused
        /// The code that opened the candidate.
        case kept
    }

    /// Classifies the step's code.
    ///
    /// A code is good once. Until the candidate that it opened is promoted or removed, the same code may open another
    /// candidate that replaces it, so a device that lost its candidate needs no new code.
    private func code(_ code: EnrolmentCodeMAC?, isGood: Bool) -> Code {
        guard let code else { return .none }
        return isGood ? .good : candidate?.code == code ? .kept : .refused
    }

    private mutating func open(
        _ key: SealedPinKey,
        by signer: KeyID,
        of device: DeviceRecord,
        _ mac: EnrolmentCodeMAC?,
        _ code: Code,
        limit: Int
    ) -> PinStepResult {
        let opener = signer == device.keyID ? Opener.deviceKey : .knowledgeKey
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
        case (.deviceKey, .good), (.deviceKey, .kept): break
        }
        var events: [PinStepResult.Event] = []
        // A candidate needs a guess to be promoted. If no guess is left, a device key with a code need not wait until
        // the last guess is proved or expires: the current epoch is destroyed at once. Using the candidate's code again
        // therefore gives an attacker no further guesses at the current epoch.
        if opener == .deviceKey, code == .good || code == .kept, count >= limit, destroy() {
            events.append(.init(.pinKeysDestroyed))
        }
        if candidate != nil { events.append(.init(.pinEpochAbandoned)) }
        candidate = Candidate(key: key, opener: opener, code: opener == .deviceKey && needsCode ? mac : nil)
        nextEpoch = nextEpoch.next
        return PinStepResult(
            outcome: .opened(key, window: window), events: events + [.init(.pinEpochOpened)],
            usesCode: opener == .deviceKey && needsCode && code == .good)
    }

    private mutating func abandon(
        _ epoch: PinEpoch,
        by signer: KeyID,
        of device: DeviceRecord
    ) -> PinStepResult {
        guard let candidate, candidate.key.epoch == epoch else {
            // A knowledge key that promoted this epoch, and was replaced by that promotion, learns that it is too late
            // to abandon the epoch. It learns nothing about other epochs.
            let keys = [device.keyID, knowledgeKey, lastClearing?.epoch == epoch ? lastClearing?.signer : nil]
            guard keys.contains(signer) else { return refusal(.notEntitled) }
            // An epoch that was opened and is not current can no longer become current.
            return epoch < nextEpoch && epoch != current?.epoch ? done(.abandoned(self)) : refusal(.epochPassed)
        }
        guard isOpener(signer, of: candidate, on: device) else { return refusal(.notEntitled) }
        self.candidate = nil
        return PinStepResult(outcome: .abandoned(self), events: [.init(.pinEpochAbandoned)], usesCode: false)
    }

    func isOpener(_ key: KeyID, of candidate: Candidate, on device: DeviceRecord) -> Bool {
        switch candidate.opener {
        case .deviceKey: key == device.keyID
        case .knowledgeKey: key == knowledgeKey
        }
    }

    /// The refusal for a device that has no live epoch.
    var withoutKeys: PinStepRefusal { isCodeRequired ? .destroyed : .notEnrolled }

    func done(_ outcome: PinStepOutcome) -> PinStepResult {
        PinStepResult(outcome: outcome, events: [], usesCode: false)
    }

    func refusal(_ refusal: PinStepRefusal, events: [PinStepResult.Event] = []) -> PinStepResult {
        PinStepResult(outcome: .refused(refusal, self), events: events, usesCode: false)
    }
}
