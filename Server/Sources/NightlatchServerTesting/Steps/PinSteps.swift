package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// The steps of a device with a two-party PIN, as a store receives them after their messages were verified.
package struct PinSteps: Sendable {
    package let store: any RelyingPartyStore
    package let device: TestDevice
    package let id: DeviceID
    package let user: UserID
    package var knowledge = KeyID.random()

    package static func epoch(_ number: Int) -> PinEpoch { PinEpoch(rawValue: number) ?? .first }
    package static func window(_ number: Int) -> PinWindow { PinWindow(rawValue: number) ?? .first }

    /// Returns a new random element. It may be no point of the curve; stores do not check that.
    package static func element() throws -> BlindedElement {
        try #require(BlindedElement(bytes: [2] + (0..<48).map { _ in UInt8.random(in: 0...255) }))
    }

    package static func key(_ epoch: Int) throws -> SealedPinKey {
        SealedPinKey(
            epoch: Self.epoch(epoch), publicKey: try #require(PinPublicKey(rawValue: try element().rawValue)),
            box: [1, 2])
    }

    package static func evaluation() throws -> PinGuessEvaluation {
        PinGuessEvaluation(
            element: try #require(EvaluatedElement(rawValue: try element().rawValue)), proof: EvaluationProof.random())
    }

    package static func proof(_ guess: PinGuessID, own: [PinGuessID]? = nil, epoch: Int, window: Int) -> PinProof {
        PinProof(
            epoch: Self.epoch(epoch), window: Self.window(window), guess: guess, own: own.flatMap(PinGuessIDs.init))
    }

    package static func promotion(_ guess: PinGuessID, epoch: Int, window: Int, key: KeyID) -> PinPromotion {
        PinPromotion(epoch: Self.epoch(epoch), window: Self.window(window), guess: guess, knowledgeKey: key)
    }

    /// Enrols a device: its first epoch is current, in window 1.
    package static func enrolled(in store: any RelyingPartyStore) async throws -> Self {
        let (device, user) = (TestDevice(), try Fixture.alice())
        let pin = Self(store: store, device: device, id: try await store.bind(device, to: user), user: user)
        let key = try device.key.id
        #expect(try await pin.refusal(pin.guess(element(), epoch: 1, window: 0)) == .notEnrolled)
        try await pin.open(1, by: key)
        let guess = try await pin.charged(element(), epoch: 1, window: 0)
        let promotion = promotion(guess.id, epoch: 1, window: 0, key: pin.knowledge)
        let outcome = try await pin.take(.promote(promotion), by: key)
        guard case .cleared = outcome else { throw StepFailed(outcome: "\(outcome)") }
        return pin
    }

    package func opening(_ epoch: Int, code: EnrolmentCodeMAC? = nil) throws -> PinStep.Action {
        .open(try Self.key(epoch), code: code)
    }

    package func guess(_ element: BlindedElement, epoch: Int, window: Int) throws -> PinStep.Action {
        .guess(
            PinGuess(epoch: Self.epoch(epoch), window: Self.window(window), blindedElement: element), id: .random())
    }

    /// Records a step signed by `key`, or by the default key for such a step.
    package func take(
        _ action: PinStep.Action,
        by key: KeyID? = nil,
        under rounds: GuessRounds = .default
    ) async throws -> PinStepOutcome {
        let usual = action.role == .guesser ? try device.possession.id : knowledge
        return try await store.recordPinStep(
            PinStep(signer: key ?? usual, rounds: rounds, action), of: id, user: user)
    }

    package func open(_ epoch: Int, by key: KeyID, code: EnrolmentCodeMAC? = nil) async throws {
        let outcome = try await take(opening(epoch, code: code), by: key)
        guard case .opened(let opened, _) = outcome, opened.epoch == Self.epoch(epoch) else {
            throw StepFailed(outcome: "\(outcome)")
        }
    }

    package func charged(
        _ element: BlindedElement,
        epoch: Int,
        window: Int,
        under rounds: GuessRounds = .default
    ) async throws -> ChargedPinGuess {
        let outcome = try await take(guess(element, epoch: epoch, window: window), under: rounds)
        guard case .charged(let guess) = outcome else { throw StepFailed(outcome: "\(outcome)") }
        #expect(guess.key.epoch == Self.epoch(epoch) && guess.window == Self.window(window))
        return guess
    }

    /// One round of `count` guesses.
    package static func round(_ count: Int) throws -> GuessRounds { GuessRounds(try #require(GuessLimit(count))) }

    /// Takes a step that must be refused, and returns the refusal.
    package func refusal(
        _ action: PinStep.Action,
        by key: KeyID? = nil,
        under rounds: GuessRounds = .default
    ) async throws -> PinStepRefusal {
        let outcome = try await take(action, by: key, under: rounds)
        guard case .refused(let refusal, _) = outcome else { throw StepFailed(outcome: "\(outcome)") }
        return refusal
    }

    /// Returns the device's entries of one kind in the audit log.
    package func events(_ kind: AuditEvent.Kind) async throws -> [AuditEvent] {
        try await store.auditEntries(of: user, before: nil, limit: 1000).map(\.event)
            .filter { $0.device == id && $0.kind == kind }
    }

    package static func cleared(_ guesses: [PinGuessID], epoch: Int, window: Int) throws -> PinClearedWindow {
        PinClearedWindow(
            epoch: Self.epoch(epoch), window: Self.window(window), cleared: try #require(PinGuessIDs(guesses)))
    }
}
