import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Servers killed at each step of a two-party PIN", .timeLimit(.minutes(3)))
struct PinKillTests {
    private static let right = "295038"

    @Test(
        """
        Killed in and after each write of opening, evaluating and promoting, a server leaves no half-done step: \
        charged guesses stay charged, the limit holds, and destroyed keys stay destroyed
        """,
        arguments: ServerFleet.Kind.allCases)
    func enrolment(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-limit", "3"]) { fleet in
            let device = try await SigningDevice(of: "alice", boundBy: fleet)
            var scene = PinKillScene(fleet: fleet, device: device)
            let offer: PinEpochOffer = try await scene.killed(at: .openPinEpoch) {
                try EnrolledPin.opening(by: device)
            }.read()
            #expect(try await scene.triesLeft() == 3)
            let blinded = try BlindedDigits(Self.right, for: offer.publicKey)
            let guess: PinEvaluation = try await scene.killed(at: .evaluatePin, writes: 2) {
                try device.pinGuess(blinded.element, offer.epoch, offer.window)
            }.read()
            #expect(guess.charged.ids == [guess.guess])
            #expect(try await scene.triesLeft() == 2)
            let knowledge = P256.Signing.PrivateKey()
            let clearing: PinClearing = try await scene.killed(at: .promotePinEpoch) {
                try device.pinPromotion(of: guess, to: knowledge)
            }.read()
            #expect(try await scene.triesLeft() == 3)
            for number in 0..<3 {
                let element = try BlindedDigits("\(number)", for: offer.publicKey).element
                let answer = try await scene.ask(
                    device.pinGuess(element, offer.epoch, clearing.window), .evaluatePin)
                #expect(try answer.read(PinEvaluation.self).triesLeft == 2 - number)
            }
            let beyond = try BlindedDigits("beyond", for: offer.publicKey).element
            let destroyed = try await scene.killed(at: .evaluatePin) {
                try device.pinGuess(beyond, offer.epoch, clearing.window)
            }
            #expect(try destroyed.refusal == .pinDestroyed)
            // The right PIN is too late.
            let right = try BlindedDigits(Self.right, for: offer.publicKey).element
            let late = try await scene.ask(device.pinGuess(right, offer.epoch, clearing.window), .evaluatePin)
            #expect(try late.refusal == .pinDestroyed)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    @Test(
        """
        Killed in and after each write of abandoning and proving, a server restores guesses only for a proof, and \
        once, and the limit holds
        """,
        arguments: ServerFleet.Kind.allCases)
    func proof(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-limit", "3"]) { fleet in
            let pin = try await EnrolledPin(Self.right, of: "alice", at: fleet)
            let (device, epoch, window) = (pin.device, pin.offer.epoch, pin.window)
            var scene = PinKillScene(fleet: fleet, device: device)
            let wrong = try BlindedDigits("wrong", for: pin.offer.publicKey)
            let first = try await scene.ask(pin.request(wrong.element), .evaluatePin)
            let firstGuess: PinEvaluation = try first.read()
            #expect(firstGuess.triesLeft == 2)

            let candidate: PinEpochOffer = try await scene.killed(at: .openPinEpoch) {
                PinOpeningRequest(message: try device.pinMessage(PinOpening(epoch: epoch.next), by: pin.knowledge))
            }.read()
            let new = try BlindedDigits("605837", for: candidate.publicKey)
            let second = try await scene.ask(device.pinGuess(new.element, candidate.epoch, window), .evaluatePin)
            let secondGuess: PinEvaluation = try second.read()
            #expect(secondGuess.triesLeft == 1)
            let standing: PinStanding = try await scene.killed(at: .abandonPinEpoch) {
                PinRequest(
                    message: try device.pinMessage(PinAbandonment(epoch: candidate.epoch), by: pin.knowledge))
            }.read()
            #expect(standing.candidate == nil && standing.epoch == epoch && standing.triesLeft == 1)

            let right = try BlindedDigits(Self.right, for: pin.offer.publicKey)
            let guess: PinEvaluation = try await scene.ask(pin.request(right.element), .evaluatePin).read()
            #expect(guess.triesLeft == 0)
            func proof() throws -> PinRequest {
                PinRequest(
                    message: try device.pinMessage(
                        PinProof(
                            epoch: epoch, window: window, guess: guess.guess,
                            own: PinGuessIDs([firstGuess.guess, secondGuess.guess])), by: pin.knowledge))
            }
            let proved = try await scene.killed(at: .provePin) { try proof() }
            let clearing: PinClearing = try proved.read()
            let next = try await scene.ask(device.pinGuess(wrong.element, epoch, clearing.window), .evaluatePin)
            #expect(try next.read(PinEvaluation.self).triesLeft == 2)
            #expect(try await scene.ask(proof(), .provePin) == proved, "The same proof is answered alike")
            try await scene.expectLimit(2, of: pin.offer, in: clearing.window)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    @Test(
        """
        Killed in and after each write of the guess that ends a round, a server charges it once, and the wait holds at \
        every server
        """,
        arguments: ServerFleet.Kind.allCases)
    func round(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-rounds", "1,1h,2"]) { fleet in
            let pin = try await EnrolledPin(Self.right, of: "alice", at: fleet)
            var scene = PinKillScene(fleet: fleet, device: pin.device)
            let wrong = try BlindedDigits("wrong", for: pin.offer.publicKey)
            let guess: PinEvaluation = try await scene.killed(at: .evaluatePin, writes: 2) {
                try pin.request(wrong.element)
            }.read()
            #expect(guess.triesLeft == 2 && guess.wait != nil)
            let right = try BlindedDigits(Self.right, for: pin.offer.publicKey)
            for number in fleet.servers.indices {
                let answer = try await scene.ask(pin.request(right.element), .evaluatePin, at: number)
                #expect(try answer.refusal == .pinWaiting)
            }
            #expect(try await scene.triesLeft() == 2)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    @Test(
        """
        Killed in and after an opening by enrolment code with no guesses left, a server destroys the previous epoch \
        only together with the opening, the code serves once, and the limit holds
        """,
        arguments: ServerFleet.Kind.allCases)
    func code(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-limit", "3"]) { fleet in
            let pin = try await EnrolledPin(Self.right, of: "alice", at: fleet)
            let (device, epoch) = (pin.device, pin.offer.epoch)
            var scene = PinKillScene(fleet: fleet, device: device)
            for number in 0..<3 {
                let wrong = try BlindedDigits("\(number)", for: pin.offer.publicKey).element
                #expect(try await scene.ask(pin.request(wrong), .evaluatePin).refusal == nil)
            }
            let code = try await fleet.backend.enrolmentCode(for: device.user).code
            func opening(of epoch: PinEpoch) throws -> PinOpeningRequest {
                PinOpeningRequest(message: try device.pinMessage(PinOpening(epoch: epoch)), enrolmentCode: code)
            }
            let offer: PinEpochOffer = try await scene.killed(at: .openPinEpoch) {
                try opening(of: epoch.next)
            }.read()
            let standing: PinStanding = try await scene.standing().read()
            #expect(standing.epoch == nil && standing.candidate == epoch.next && standing.triesLeft == 3)
            let old = try BlindedDigits(Self.right, for: pin.offer.publicKey).element
            let late = try await scene.ask(device.pinGuess(old, epoch, offer.window), .evaluatePin)
            #expect(try late.refusal == .pinEpochPassed)

            let new = try BlindedDigits("605837", for: offer.publicKey).element
            let guess: PinEvaluation = try await scene.ask(
                device.pinGuess(new, offer.epoch, offer.window), .evaluatePin
            ).read()
            let knowledge = P256.Signing.PrivateKey()
            let clearing: PinClearing = try await scene.killed(at: .promotePinEpoch) {
                try device.pinPromotion(of: guess, to: knowledge)
            }.read()
            let again = try await scene.ask(opening(of: epoch.next.next), .openPinEpoch)
            #expect(try again.refusal == .enrolmentCodeRefused)
            try await scene.expectLimit(3, of: offer, in: clearing.window)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }
}
