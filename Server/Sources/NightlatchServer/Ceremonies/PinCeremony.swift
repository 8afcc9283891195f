import CoreMetrics
package import NightlatchWire

/// The relying party's part in two-party PINs: counts guesses, evaluates them, and keeps the epochs of devices.
package struct PinCeremony<Store: RelyingPartyStore>: Sendable {
    let store: Store
    let verifier: PinVerifier
    let hardener: PinHardener
    let masterKey: MasterKey
    let guessLimit: GuessLimit
    let clock: WallClock

    /// How the device stands. Writes nothing.
    package func standing(_ request: PinRequest) async throws(Refusal) -> PinStanding {
        let message = try verified(request.message, as: PinInquiry.self)
        let device = try await device(of: message)
        guard message.signer == device.possessionKey else { throw .messageRefused(.wrongKey) }
        let state = try await answer { () async throws(StoreError) in try await store.pinHardening(of: device.id) }
        guard message.isFresh else { throw .messageExpired(standing(state)) }
        if let bar = device.bar { throw Refusal(bar) }
        return standing(state)
    }

    /// A candidate, with a new key. A lost answer may be asked for again.
    package func open(_ request: PinOpeningRequest) async throws(Refusal) -> PinEpochOffer {
        let message = try verified(request.message, as: PinOpening.self)
        let key: SealedPinKey
        do {
            key = try hardener.makeKey(for: message.device, epoch: message.statement.epoch)
        } catch {
            throw .internalError
        }
        let code = request.enrolmentCode.map { EnrolmentCodeMAC(of: $0, under: masterKey) }
        let outcome = try await record(.open(key, code: code), of: message)
        guard case .opened(let opened, let window) = outcome else { throw .internalError }
        return PinEpochOffer(epoch: opened.epoch, publicKey: opened.publicKey, window: window, issuedAt: clock.now())
    }

    /// Charges the guess, and only then evaluates it. A lost answer may be asked for again with the same element, uncharged.
    package func evaluate(_ request: PinRequest) async throws(Refusal) -> PinEvaluation {
        let message = try verified(request.message, as: PinGuess.self)
        let element = message.statement.blindedElement
        guard hardener.isPoint(element) else { throw .blindedElementRefused }
        let outcome = try await record(.guess(message.statement, id: .random()), of: message)
        guard case .charged(let guess) = outcome else { throw .internalError }
        let evaluation: PinHardener.Evaluation
        do {
            evaluation = try await hardener.evaluate(element, with: guess.key, of: message.device)
        } catch {
            // Sealed under another master key, or changed. What was charged stays so: a thief may have done it.
            throw .store(StoreError(.corrupt))
        }
        CeremonyMetrics.pinEvaluations.increment()
        return PinEvaluation(
            epoch: guess.key.epoch, window: guess.window, guess: guess.id, evaluatedElement: evaluation.element,
            proof: evaluation.proof, charged: guess.charged, triesLeft: guess.triesLeft, issuedAt: clock.now())
    }

    /// Clears the count. A lost answer may be asked for again.
    package func prove(_ request: PinRequest) async throws(Refusal) -> PinClearing {
        let message = try verified(request.message, as: PinProof.self)
        let outcome = try await record(.prove(message.statement), of: message)
        CeremonyMetrics.pinProofs.increment()
        return try clearing(outcome)
    }

    /// Makes a candidate the current epoch, and destroys the one before. A lost answer may be asked for again.
    package func promote(_ request: PinPromotionRequest) async throws(Refusal) -> PinClearing {
        let message = try verified(request.message, as: PinPromotion.self)
        let candidacy = try verified(request.knowledgeKeyMessage, as: PinCandidacy.self)
        let (promotion, shown) = (message.statement, candidacy.statement)
        guard promotion.knowledgeKey == candidacy.signer else { throw .messageRefused(.wrongKey) }
        guard message.client == candidacy.client, message.user == candidacy.user, message.device == candidacy.device,
            promotion.epoch == shown.epoch, promotion.window == shown.window, promotion.guess == shown.guess
        else { throw .messageRefused(.wrongSubject) }
        let outcome = try await record(.promote(promotion), of: message, isFresh: message.isFresh && candidacy.isFresh)
        CeremonyMetrics.pinPromotions.increment()
        return try clearing(outcome)
    }

    /// Destroys a candidate. A lost answer may be asked for again.
    package func abandon(_ request: PinRequest) async throws(Refusal) -> PinStanding {
        let message = try verified(request.message, as: PinAbandonment.self)
        let outcome = try await record(.abandon(message.statement.epoch), of: message)
        guard case .abandoned(let state) = outcome else { throw .internalError }
        return standing(state)
    }

    private func verified<Statement: PinStatement>(
        _ message: String,
        as statement: Statement.Type
    ) throws(Refusal) -> VerifiedPinMessage<Statement> {
        do {
            return try verifier.verify(message, now: clock.now())
        } catch {
            throw .messageRefused(error)
        }
    }

    /// The device that a message is about. Whoever signed has proved to have some key, and learns nothing.
    private func device(of message: VerifiedPinMessage<some PinStatement>) async throws(Refusal) -> RegisteredDevice {
        let device = try await answer { () async throws(StoreError) in
            try await store.device(message.device, of: message.user)
        }
        guard let device, device.client == message.client else { throw .messageRefused(.wrongKey) }
        return device
    }

    /// Has the store carry a step out.
    ///
    /// - Returns: An outcome that is no refusal.
    private func record(
        _ action: PinStep.Action,
        of message: VerifiedPinMessage<some PinStatement>,
        isFresh: Bool? = nil
    ) async throws(Refusal) -> PinStepOutcome {
        let device = try await device(of: message)
        // Before the store is asked to write: whoever has no key of the device keeps nobody waiting.
        var known = PinHardening()
        if message.signer != device.possessionKey, message.signer != device.key.thumbprint {
            known = try await answer { () async throws(StoreError) in try await store.pinHardening(of: device.id) }
        }
        guard known.isEntitled(message.signer, to: action, on: device) else { throw .messageRefused(.wrongKey) }
        let step = PinStep(
            signer: message.signer, isFresh: isFresh ?? message.isFresh, guessLimit: guessLimit.count, action)
        let outcome = try await answer { () async throws(StoreError) in
            try await store.recordPinStep(step, of: device.id, user: device.user)
        }
        guard case .refused(let refusal, let state) = outcome else { return outcome }
        throw Refusal(refusal, standing: standing(state))
    }

    private func clearing(_ outcome: PinStepOutcome) throws(Refusal) -> PinClearing {
        guard case .cleared(let window) = outcome else { throw .internalError }
        return PinClearing(
            epoch: window.epoch, window: window.window, cleared: window.cleared, issuedAt: clock.now())
    }

    private func standing(_ state: PinHardening) -> PinStanding {
        state.standing(guessLimit: guessLimit.count, at: clock.now())
    }
}

extension Refusal {
    /// What the store's refusal is to whoever asked.
    fileprivate init(_ refusal: PinStepRefusal, standing: PinStanding) {
        switch refusal {
        case .notEntitled: self = .messageRefused(.wrongKey)
        case .expired: self = .messageExpired(standing)
        case .deviceBarred(let bar): self = Refusal(bar)
        case .notEnrolled: self = .pinNotEnrolled
        case .destroyed: self = .pinDestroyed
        case .epochPassed: self = .pinEpochPassed(standing)
        case .windowPassed: self = .pinWindowPassed(standing)
        case .guessUnknown: self = .pinGuessUnknown
        case .candidateOpen: self = .pinCandidateOpen(standing)
        case .codeRequired: self = .enrolmentCodeRequired
        case .codeRefused: self = .enrolmentCodeRefused
        }
    }
}
