import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

/// A device with a two-party PIN that is used before, during and after a rotation of the master key.
struct RotatedPhone: Sendable {
    static let digits = "295038"

    let pin: EnrolledPin
    private var window: PinWindow
    private var refreshToken: RefreshToken
    /// The result of the right PIN, which opens the device's vault. It is the same as long as the epoch lives.
    private let output: Data
    let answerKey: PublicJWK?

    init(of user: String, at fleet: ServerFleet) async throws {
        pin = try await EnrolledPin(Self.digits, of: user, at: fleet)
        window = pin.window
        answerKey = pin.offer.answerKey
        (output, window) = try await Self.opened(pin, in: window, at: fleet.addresses[0])
        refreshToken = try await Self.logIn(pin.device, at: HTTPRelyingParty(issuer: fleet.addresses[0]))
    }

    /// Uses everything that the device has, at one server. Each part must succeed.
    mutating func use(at address: Issuer) async throws {
        let party = HTTPRelyingParty(issuer: address)
        let nonce = try await pin.device.beginLogin(at: party).nonce
        refreshToken = try await party.tokens(.refresh(refreshToken), proof: pin.device.proof(nonce: nonce))
            .refreshToken
        refreshToken = try await Self.logIn(pin.device, at: party)
        let opened: Data
        (opened, window) = try await Self.opened(pin, in: window, at: address)
        #expect(opened == output, "the PIN of \(pin.device.user) opens another vault")
    }

    private static func logIn(_ device: SigningDevice, at party: HTTPRelyingParty) async throws -> RefreshToken {
        let login = try await device.beginLogin(at: party)
        return try await party.tokens(login.request, proof: device.proof(nonce: login.nonce)).refreshToken
    }

    /// Guesses the right PIN and proves it.
    private static func opened(
        _ pin: EnrolledPin, in window: PinWindow, at address: Issuer
    ) async throws -> (Data, PinWindow) {
        let blinded = try BlindedDigits(digits, for: pin.offer.publicKey)
        let guess: PinEvaluation = try await PinMessages.answer(
            to: pin.device.pinGuess(blinded.element, pin.offer.epoch, window), of: .evaluatePin, at: address)
        let proof = PinProof(epoch: pin.offer.epoch, window: window, guess: guess.guess)
        let clearing: PinClearing = try await PinMessages.answer(
            to: PinRequest(message: try pin.device.pinMessage(proof, by: pin.knowledge)), of: .provePin, at: address)
        return (try blinded.output(of: guess), clearing.window)
    }
}
