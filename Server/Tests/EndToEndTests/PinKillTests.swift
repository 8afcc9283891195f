import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Servers that are killed at each step of a two-party PIN, of three over one database", .timeLimit(.minutes(3)))
struct PinKillTests {
    private static let right = "295038"

    /// What a server has answered, but for what time it was.
    private struct Answer: Equatable {
        let status: Int
        let body: Data
        private let members: NSDictionary

        init(_ response: HTTPTransportResponse) throws {
            (status, body) = (response.status, response.body)
            var members = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            members["issued_at"] = nil
            self.members = members as NSDictionary
        }

        static func == (one: Self, other: Self) -> Bool { one.status == other.status && one.members == other.members }

        func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try #require(status == 200, "\(String(decoding: body, as: UTF8.self))")
            return try StrictJSON.decode(type, from: body)
        }

        var refusal: ProblemCode? {
            get throws { status == 200 ? nil : try StrictJSON.decode(Problem.self, from: body).code }
        }
    }

    /// Servers that die by turns, and a device whose messages the test signs.
    private struct Scene {
        let fleet: ServerFleet
        let device: SigningDevice
        var victim = 0

        init(fleet: ServerFleet, device: SigningDevice) {
            self.fleet = fleet
            self.device = device
        }

        func ask(_ message: some Encodable, _ route: Route, at number: Int? = nil) async throws -> Answer {
            try Answer(
                await PinMessages.post(message, to: route, at: fleet.addresses[number ?? (victim + 1) % 3]))
        }

        func standing() async throws -> Answer {
            try await ask(PinRequest(message: device.pinMessage(PinInquiry())), .pinStanding)
        }

        func triesLeft() async throws -> Int { try await standing().read(PinStanding.self).triesLeft }

        /// Has a server killed in the middle of each write of a step; and then one that has answered. Each time another says how the device
        /// stands, and in the end gives the same answer as the dead one, with no second effect.
        ///
        /// - Parameter writes: How many transactions the step has. Only the first changes how the device stands.
        mutating func killed<Message: Encodable & Sendable>(
            at route: Route,
            writes: Int = 1,
            _ message: () throws -> Message
        ) async throws -> Answer {
            var before = try await standing()
            for write in 0..<writes {
                let (request, address) = (try message(), fleet.addresses[victim])
                try await fleet.holdPinWrites(after: write)
                let lost = Task { try? await PinMessages.post(request, to: route, at: address) }
                try await fleet.waitForHeldPinWrite()
                try await fleet.replace(victim) {
                    let answer = await lost.value
                    #expect(answer == nil)
                    try await fleet.releasePinWrites()
                }
                let after = try await standing()
                if write > 0 {
                    let left = try before.read(PinStanding.self).triesLeft
                    #expect(try after.read(PinStanding.self).triesLeft == left - 1, "\(route), write \(write)")
                } else {
                    #expect(after == before, "\(route): what was not committed never was")
                }
                before = after
                victim = (victim + 1) % 3
            }
            let answer = try await ask(message(), route, at: victim)
            try await fleet.replace(victim)
            let after = try await standing()
            #expect(try await ask(message(), route) == answer, "\(route): asked again")
            #expect(try await standing() == after, "\(route): no second effect")
            victim = (victim + 1) % 3
            return answer
        }

        /// Spends the guesses that are left, and then one more: there are exactly as many as the server has said.
        func expectLimit(_ left: Int, of offer: PinEpochOffer, in window: PinWindow) async throws {
            #expect(try await triesLeft() == left)
            for number in 0...left {
                let element = try BlindedDigits("\(number)", for: offer.publicKey).element
                let answer = try await ask(device.pinGuess(element, offer.epoch, window), .evaluatePin)
                #expect(try answer.refusal == (number < left ? nil : .pinDestroyed))
            }
        }
    }

    @Test(
        """
        B1: killed in the middle of each write of opening, evaluating and promoting, and after each: nothing is half done, what was charged \
        stays charged, and the limit holds; destroyed keys stay so
        """, arguments: ServerFleet.Kind.allCases)
    func enrolment(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-limit", "3"]) { fleet in
            let device = try await SigningDevice(of: "alice", boundBy: fleet)
            var scene = Scene(fleet: fleet, device: device)
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
            // The right PIN comes too late.
            let right = try BlindedDigits(Self.right, for: offer.publicKey).element
            let late = try await scene.ask(device.pinGuess(right, offer.epoch, clearing.window), .evaluatePin)
            #expect(try late.refusal == .pinDestroyed)
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    @Test(
        """
        B1: killed in the middle of each write of abandoning and proving, and after each: nothing is refilled but by a proof, once, and the \
        limit holds
        """, arguments: ServerFleet.Kind.allCases)
    func proof(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-limit", "3"]) { fleet in
            let pin = try await EnrolledPin(Self.right, of: "alice", at: fleet)
            let (device, epoch, window) = (pin.device, pin.offer.epoch, pin.window)
            var scene = Scene(fleet: fleet, device: device)
            let wrong = try BlindedDigits("wrong", for: pin.offer.publicKey)
            let first = try await scene.ask(pin.request(wrong.element), .evaluatePin)
            #expect(try first.read(PinEvaluation.self).triesLeft == 2)

            let candidate: PinEpochOffer = try await scene.killed(at: .openPinEpoch) {
                PinOpeningRequest(message: try device.pinMessage(PinOpening(epoch: epoch.next), by: pin.knowledge))
            }.read()
            let new = try BlindedDigits("605837", for: candidate.publicKey)
            let second = try await scene.ask(device.pinGuess(new.element, candidate.epoch, window), .evaluatePin)
            #expect(try second.read(PinEvaluation.self).triesLeft == 1)
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
                        PinProof(epoch: epoch, window: window, guess: guess.guess), by: pin.knowledge))
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
        B1: killed in the middle of an opening by an enrolment code once the guesses are used up, and after it: the epoch before is destroyed \
        with it or is not, the code serves once, and the limit holds
        """, arguments: ServerFleet.Kind.allCases)
    func code(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-limit", "3"]) { fleet in
            let pin = try await EnrolledPin(Self.right, of: "alice", at: fleet)
            let (device, epoch) = (pin.device, pin.offer.epoch)
            var scene = Scene(fleet: fleet, device: device)
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
