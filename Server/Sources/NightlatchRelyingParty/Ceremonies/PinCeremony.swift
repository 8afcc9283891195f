import CoreMetrics
package import NightlatchWire

/// The relying party's part in two-party PINs: it counts guesses, evaluates them, and keeps the epochs of devices.
package struct PinCeremony: Sendable {
    let store: any RelyingPartyStore
    let apps: AppRegistry
    let verifier: PinVerifier
    let evaluator: PinEvaluator
    let keyring: MasterKeyring
    let guessRounds: GuessRounds
    let pace: RefusalPace
    let clock: WallClock

    package init(
        in context: CeremonyContext,
        verifier: PinVerifier,
        evaluator: PinEvaluator,
        guessRounds: GuessRounds
    ) {
        store = context.store
        apps = context.apps
        keyring = context.keyring
        pace = context.pace
        clock = context.clock
        self.verifier = verifier
        self.evaluator = evaluator
        self.guessRounds = guessRounds
    }
    let evaluations = PinEvaluations()

    /// The standing of the device's two-party PIN. Writes nothing.
    package func standing(_ request: PinRequest) async throws(Refusal) -> PinStanding {
        let message = try await verified(request.message, as: PinInquiry.self)
        let device = try await device(of: message, signedAs: .guesser)
        return standing(
            of: try await answer { () async throws(RelyingPartyStoreError) in
                try await store.pinHardening(of: device.id)
            })
    }

    /// Opens a candidate epoch with a new key. A client that lost the response may ask again.
    ///
    /// - Parameter answerKey: The public key that verifies the signed response.
    package func open(_ request: PinOpeningRequest, naming answerKey: PublicJWK) async throws(Refusal) -> PinEpochOffer
    {
        let message = try await verified(request.message, as: PinOpening.self)
        let device = try await device(of: message, signedAs: .opener)
        let key: SealedPinKey
        do {
            key = try await evaluator.makeKey(for: device.id, epoch: message.statement.epoch)
        } catch {
            throw .internalError
        }
        let outcome = try await open(key, with: request.enrolmentCode, by: message.signer, of: device)
        guard case .opened(let opened, let window) = outcome else { throw .internalError }
        return PinEpochOffer(
            epoch: opened.epoch, publicKey: opened.publicKey, window: window, issuedAt: clock.now(),
            answerKey: answerKey)
    }

    /// Opens the epoch of `key`. During a rotation of the master key the store may have the code under either key; a
    /// refused code changes nothing, so the next one can be tried.
    private func open(
        _ key: SealedPinKey, with code: EnrolmentCode?, by signer: KeyID, of device: DeviceRecord
    ) async throws(Refusal) -> PinStepOutcome {
        guard let code else { return try await record(.open(key, code: nil), by: signer, of: device) }
        for other in EnrolmentCodeMAC.all(of: code, under: keyring).dropFirst() {
            do {
                return try await record(.open(key, code: other), by: signer, of: device)
            } catch .enrolmentCodeRefused {
                // The code was made under the key that seals now, or is wrong: tried below.
            }
        }
        let usual = EnrolmentCodeMAC(of: code, under: keyring.sealing)
        return try await record(.open(key, code: usual), by: signer, of: device)
    }

    /// Charges the guess, and only then evaluates it.
    ///
    /// A client that lost the response may repeat the request with the same element. It gets the recorded evaluation,
    /// and is not charged again.
    package func evaluate(_ request: PinRequest) async throws(Refusal) -> PinEvaluation {
        let message = try await verified(request.message, as: PinGuess.self)
        let device = try await device(of: message, signedAs: .guesser)
        let element = message.statement.blindedElement
        guard await evaluator.isPoint(element) else { throw .blindedElementRefused }
        let outcome = try await record(.guess(message.statement, id: .random()), by: message.signer, of: device)
        guard case .charged(var guess) = outcome else { throw .internalError }
        if guess.evaluation == nil {
            let charged = guess
            guess = try await evaluations.evaluated(charged.id) { () async throws(Refusal) in
                try await evaluated(charged, element, by: message.signer, of: device)
            }
        }
        guard let evaluation = guess.evaluation else { throw .internalError }
        return PinEvaluation(
            epoch: guess.key.epoch, window: guess.window, guess: guess.id, evaluatedElement: evaluation.element,
            proof: evaluation.proof, charged: guess.charged, triesLeft: guess.triesLeft, wait: guess.wait,
            issuedAt: clock.now())
    }

    /// Evaluates a guess, and records the evaluation. If another process has already recorded an evaluation, returns
    /// that evaluation.
    private func evaluated(
        _ guess: ChargedPinGuess,
        _ element: BlindedElement,
        by signer: KeyID,
        of device: DeviceRecord
    ) async throws(Refusal) -> ChargedPinGuess {
        let evaluation: PinGuessEvaluation
        do {
            evaluation = try await evaluator.evaluate(element, with: guess.key, of: device.id)
        } catch {
            // The epoch's key was sealed under another master key, or was changed. The charge stays, because an
            // attacker may have changed the key.
            throw .store(RelyingPartyStoreError(.corrupt))
        }
        CeremonyMetrics.pinEvaluations.increment()
        switch try await take(.keep(evaluation, of: guess), by: signer, of: device) {
        case .charged(let kept): return kept
        case .refused(.notEntitled, _): throw .messageRefused(.wrongKey)
        case .refused(.deviceStopped(let stop), _): throw Refusal(stop)
        case .refused:
            // Since the charge, the count was cleared or the keys were destroyed. The guess was charged, so the client
            // gets this evaluation. No other evaluation can be made for the guess.
            var answered = guess
            answered.evaluation = evaluation
            return answered
        case .opened, .cleared, .abandoned: throw .internalError
        }
    }

    /// Clears the count of charged guesses, once the app has proved the PIN. A client that lost the response may ask
    /// again.
    package func prove(_ request: PinRequest) async throws(Refusal) -> PinClearing {
        let message = try await verified(request.message, as: PinProof.self)
        let device = try await device(of: message, signedAs: .prover)
        let outcome = try await record(.prove(message.statement), by: message.signer, of: device)
        CeremonyMetrics.pinProofs.increment()
        return try clearing(outcome)
    }

    /// Makes a candidate the current epoch, and destroys the previous one.
    ///
    /// A client that lost the response may ask again.
    package func promote(_ request: PinPromotionRequest) async throws(Refusal) -> PinClearing {
        let message = try await verified(request.message, as: PinPromotion.self)
        let candidacy = try await verified(request.knowledgeKeyMessage, as: PinCandidacy.self)
        let (promotion, shown) = (message.statement, candidacy.statement)
        guard promotion.knowledgeKey == candidacy.signer else { throw .messageRefused(.wrongKey) }
        guard message.client == candidacy.client, message.user == candidacy.user, message.device == candidacy.device,
            promotion.epoch == shown.epoch, promotion.window == shown.window, promotion.guess == shown.guess,
            promotion.publicKey == shown.publicKey
        else { throw .messageRefused(.wrongSubject) }
        let device = try await device(of: message, signedAs: .opener, isFresh: message.isFresh && candidacy.isFresh)
        let outcome = try await record(.promote(promotion), by: message.signer, of: device)
        CeremonyMetrics.pinPromotions.increment()
        return try clearing(outcome)
    }

    /// Destroys a candidate epoch. A client that lost the response may ask again.
    package func abandon(_ request: PinRequest) async throws(Refusal) -> PinStanding {
        let message = try await verified(request.message, as: PinAbandonment.self)
        let device = try await device(of: message, signedAs: .opener)
        let outcome = try await record(.abandon(message.statement.epoch), by: message.signer, of: device)
        guard case .abandoned(let state) = outcome else { throw .internalError }
        return standing(of: state)
    }
}
