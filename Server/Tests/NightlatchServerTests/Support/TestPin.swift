import Crypto
import CryptoExtras
import Foundation
import HummingbirdTesting
import NightlatchServerTesting
import NightlatchWire
import Testing

/// The device's side of a two-party PIN: its messages and its computations.
struct TestPin: Sendable {
    var device: TestDevice
    let id: DeviceID
    let user: UserID
    let issuer: Issuer
    /// The knowledge key of the current epoch.
    var knowledge = TestKey.newEC()

    /// Returns a message, ready to be signed.
    func draft(
        _ statement: some PinStatement,
        by key: TestKey,
        now: NumericDate = TestTime.current
    ) throws -> Draft {
        let algorithm = try key.id == device.key.id ? device.algorithm : .es256
        let claims = PinClaims(
            issuer: .default, subject: user, audience: issuer, device: id, issuedAt: now, expiresAt: now + .seconds(60),
            statement)
        return try Draft(
            claims,
            header: JWSHeader(algorithm: algorithm, type: type(of: claims).messageType, key: try key.jwk), signer: key)
    }

    func request(_ statement: some PinStatement, by key: TestKey) throws -> PinRequest {
        PinRequest(message: try draft(statement, by: key).text())
    }

    func guess(_ input: BlindedPin, epoch: PinEpoch, window: PinWindow) throws -> PinRequest {
        try request(
            PinGuess(epoch: epoch, window: window, blindedElement: input.element), by: device.possession)
    }

    func promotion(
        to epoch: PinEpoch,
        window: PinWindow,
        guess: PinGuessID,
        by opener: TestKey,
        knowledge: TestKey,
        publicKey: PinPublicKey? = nil
    ) throws -> PinPromotionRequest {
        PinPromotionRequest(
            message: try draft(
                PinPromotion(
                    epoch: epoch, window: window, guess: guess, knowledgeKey: knowledge.id, publicKey: publicKey),
                by: opener
            ).text(),
            knowledgeKeyMessage: try draft(
                PinCandidacy(epoch: epoch, window: window, guess: guess, publicKey: publicKey), by: knowledge
            ).text())
    }
}

/// A stretched PIN, blinded for one key.
struct BlindedPin {
    let publicKey: P384._VOPRF.PublicKey
    let blinded: P384._VOPRF.BlindedInput
    let element: BlindedElement

    init(_ pin: String, for publicKey: PinPublicKey) throws {
        self.publicKey = try P384._VOPRF.PublicKey(compressedRepresentation: publicKey.bytes)
        blinded = try self.publicKey.blind(Data(pin.utf8))
        element = try #require(BlindedElement(bytes: Array(blinded.blindedElement.oprfRepresentation)))
    }

    /// Returns the output of the function.
    ///
    /// - Throws: If the proof is not valid for the key.
    func finalize(_ element: EvaluatedElement, _ proof: EvaluationProof) throws -> Data {
        try publicKey.finalize(
            blinded, using: P384._VOPRF.BlindEvaluation(rawRepresentation: element.bytes + proof.bytes))
    }

    func finalize(_ evaluation: PinEvaluation) throws -> Data {
        try finalize(evaluation.evaluatedElement, evaluation.proof)
    }
}

extension TestCaller {
    /// Binds a new device without an enrolled PIN.
    func newPin(of user: UserID) async throws -> TestPin {
        let device = TestDevice()
        return TestPin(device: device, id: try await bind(device, to: user), user: user, issuer: issuer)
    }

    func standing(_ pin: TestPin) async throws -> PinStanding {
        try await post(pin.request(PinInquiry(), by: pin.device.possession), to: .pinStanding).message()
    }

    func open(
        _ epoch: PinEpoch,
        of pin: TestPin,
        by key: TestKey,
        code: EnrolmentCode? = nil
    ) async throws -> TestResponse {
        let message = try pin.draft(PinOpening(epoch: epoch), by: key).text()
        return try await post(PinOpeningRequest(message: message, enrolmentCode: code), to: .openPinEpoch)
    }

    /// Opens the next epoch with the key `opener`, guesses in it and promotes it.
    ///
    /// - Returns: The offer and the function's output for the PIN in the new epoch.
    func changeEpoch(
        of pin: inout TestPin,
        digits: String,
        by opener: TestKey,
        code: EnrolmentCode? = nil
    ) async throws -> (offer: PinEpochOffer, output: Data) {
        let next = try await standing(pin).nextEpoch
        let offer: PinEpochOffer = try await open(next, of: pin, by: opener, code: code).message()
        let blinded = try BlindedPin(digits, for: offer.publicKey)
        let evaluation: PinEvaluation = try await post(
            pin.guess(blinded, epoch: offer.epoch, window: offer.window), to: .evaluatePin
        ).message()
        let knowledge = TestKey.newEC()
        let promotion = try pin.promotion(
            to: offer.epoch, window: offer.window, guess: evaluation.guess, by: opener, knowledge: knowledge,
            publicKey: offer.publicKey)
        let clearing: PinClearing = try await post(promotion, to: .promotePinEpoch).message()
        #expect(clearing.epoch == offer.epoch && clearing.window == offer.window.next)
        pin.knowledge = knowledge
        return (offer, try blinded.finalize(evaluation))
    }

    /// Binds a new device and enrols its PIN.
    func enrolledPin(of user: UserID, digits: String) async throws -> (pin: TestPin, offer: PinEpochOffer, output: Data)
    {
        var pin = try await newPin(of: user)
        let key = pin.device.key
        let (offer, output) = try await changeEpoch(of: &pin, digits: digits, by: key)
        return (pin, offer, output)
    }
}
