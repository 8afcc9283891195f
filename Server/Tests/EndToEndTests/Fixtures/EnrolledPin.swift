import Crypto
import CryptoExtras
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

/// Sends messages about two-party PINs to any server.
enum PinMessages {
    static func post(
        _ message: some Encodable,
        to route: Route,
        at address: Issuer,
        through transport: URLSessionTransport = URLSessionTransport()
    ) async throws -> HTTPTransportResponse {
        try await transport.send(
            HTTPTransportRequest(
                method: "POST", url: try #require(address.url(path: route.path)),
                headers: ["Content-Type": "application/json"], body: StrictJSON.encode(message), timeout: .seconds(180))
        )
    }

    /// Returns the answer to a message that the server must accept.
    static func answer<Answer: Decodable>(
        to message: some Encodable,
        of route: Route,
        at address: Issuer
    ) async throws -> Answer {
        let response = try await post(message, to: route, at: address)
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try StrictJSON.decode(Answer.self, from: response.body)
    }
}

/// Digits blinded for a key of the server.
struct BlindedDigits {
    private let publicKey: P384._VOPRF.PublicKey
    private let input: P384._VOPRF.BlindedInput
    let element: BlindedElement

    init(_ digits: String, for publicKey: PinPublicKey) throws {
        self.publicKey = try P384._VOPRF.PublicKey(compressedRepresentation: publicKey.bytes)
        input = try self.publicKey.blind(Data(digits.utf8))
        element = try #require(BlindedElement(bytes: Array(input.blindedElement.oprfRepresentation)))
    }

    func output(of evaluation: PinEvaluation) throws -> Data {
        try publicKey.finalize(
            input,
            using: P384._VOPRF.BlindEvaluation(
                rawRepresentation: evaluation.evaluatedElement.bytes + evaluation.proof.bytes))
    }
}

/// A device with an enrolled PIN. The test itself signs its messages.
struct EnrolledPin: Sendable {
    let device: SigningDevice
    let offer: PinEpochOffer
    /// The window that the enrolment began.
    let window: PinWindow
    let knowledge = P256.Signing.PrivateKey()

    init(_ digits: String, of user: String, at fleet: ServerFleet) async throws {
        device = try await SigningDevice(of: user, boundBy: fleet)
        let address = fleet.addresses[0]
        offer = try await PinMessages.answer(to: Self.opening(by: device), of: .openPinEpoch, at: address)
        let blinded = try BlindedDigits(digits, for: offer.publicKey)
        let evaluation: PinEvaluation = try await PinMessages.answer(
            to: device.pinGuess(blinded.element, offer.epoch, offer.window), of: .evaluatePin, at: address)
        let clearing: PinClearing = try await PinMessages.answer(
            to: device.pinPromotion(of: evaluation, to: knowledge), of: .promotePinEpoch, at: address)
        window = clearing.window
    }

    /// Returns a guess in the window that the enrolment began.
    func request(_ element: BlindedElement) throws -> PinRequest { try device.pinGuess(element, offer.epoch, window) }

    /// Returns the message that opens the first epoch.
    static func opening(by device: SigningDevice) throws -> PinOpeningRequest {
        PinOpeningRequest(message: try device.pinMessage(PinOpening(epoch: .first)))
    }
}

extension SigningDevice {
    func pinGuess(_ element: BlindedElement, _ epoch: PinEpoch, _ window: PinWindow) throws -> PinRequest {
        PinRequest(message: try pinMessage(PinGuess(epoch: epoch, window: window, blindedElement: element)))
    }

    /// Returns the promotion of the first epoch, for the guess that was evaluated.
    func pinPromotion(
        of guess: PinEvaluation,
        to knowledge: P256.Signing.PrivateKey
    ) throws -> PinPromotionRequest {
        let name = try #require(ECPublicJWK(coordinates: Array(knowledge.publicKey.rawRepresentation)))
        return PinPromotionRequest(
            message: try pinMessage(
                PinPromotion(
                    epoch: guess.epoch, window: guess.window, guess: guess.guess,
                    knowledgeKey: PublicJWK.ec(name).thumbprint)),
            knowledgeKeyMessage: try pinMessage(
                PinCandidacy(epoch: guess.epoch, window: guess.window, guess: guess.guess), by: knowledge))
    }
}
