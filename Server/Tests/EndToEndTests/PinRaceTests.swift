import Crypto
import CryptoExtras
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Guesses at one two-party PIN, at three server processes over one database")
struct PinRaceTests {
    private static let digits = "295038"

    /// How a guess came out.
    private enum Outcome: Sendable {
        case evaluated(PinEvaluation)
        case refused(ProblemCode)
    }

    /// A device whose PIN is enrolled.
    private struct Enrolled: Sendable {
        let device: SigningDevice
        let offer: PinEpochOffer
        let window: PinWindow
        let output: Data
    }

    @Test("B1: 1,000 evaluations at once against a limit of 10: exactly 10", arguments: ServerFleet.Kind.allCases)
    func thousandAtOnce(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let pin = try await enrol(at: fleet)
            let elements = try (0..<1000).map { try Blinded("\($0)", for: pin.offer.publicKey).element }
            let transports = (0..<30).map { _ in URLSessionTransport() }
            let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
                for (number, element) in elements.enumerated() {
                    let address = fleet.addresses[number % fleet.addresses.count]
                    group.addTask {
                        try await outcome(
                            of: element, for: pin, at: address, through: transports[number % transports.count])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let evaluations = outcomes.compactMap {
                if case .evaluated(let evaluation) = $0 { evaluation } else { nil }
            }
            #expect(evaluations.count == 10 && Set(evaluations.map(\.guess)).count == 10)
            let refused = outcomes.compactMap { if case .refused(let code) = $0 { code } else { nil } }
            #expect(refused == Array(repeating: .pinDestroyed, count: 990))
            // The right PIN comes too late.
            let right = try await outcome(
                of: Blinded(Self.digits, for: pin.offer.publicKey).element, for: pin, at: fleet.addresses[0],
                through: transports[0])
            guard case .refused(.pinDestroyed) = right else { throw Unexpected(text: "\(right)") }
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    @Test(
        "B1: Servers that are killed while they evaluate neither forget a guess nor charge it twice",
        arguments: ServerFleet.Kind.allCases)
    func killed(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let pin = try await enrol(at: fleet)
            for count in 1...10 {
                let blinded = try Blinded(count == 10 ? Self.digits : "\(count)", for: pin.offer.publicKey)
                let victim = count % fleet.addresses.count
                let request = try request(blinded.element, for: pin)
                async let lost = try? post(request, to: .evaluatePin, at: fleet.addresses[victim])
                try fleet.kill(victim)
                _ = await lost
                try fleet.restart(victim)
                let other = fleet.addresses[(victim + 1) % fleet.addresses.count]
                let answer = try await outcome(
                    of: blinded.element, for: pin, at: other, through: URLSessionTransport())
                guard case .evaluated(let evaluation) = answer else { throw Unexpected(text: "\(answer)") }
                #expect(evaluation.charged.ids.count == count && evaluation.triesLeft == 10 - count)
                #expect(try blinded.output(of: evaluation) == pin.output || count < 10)
            }
            let beyond = try await outcome(
                of: Blinded("beyond", for: pin.offer.publicKey).element, for: pin, at: fleet.addresses[0],
                through: URLSessionTransport())
            guard case .refused(.pinDestroyed) = beyond else { throw Unexpected(text: "\(beyond)") }
        }
    }

    private func enrol(at fleet: ServerFleet) async throws -> Enrolled {
        let device = try await SigningDevice(of: "alice", boundBy: fleet)
        let address = fleet.addresses[0]
        let offer: PinEpochOffer = try await answer(
            to: PinOpeningRequest(message: device.pinMessage(PinOpening(epoch: .first))), of: .openPinEpoch, at: address
        )
        let blinded = try Blinded(Self.digits, for: offer.publicKey)
        let guess = PinGuess(epoch: offer.epoch, window: offer.window, blindedElement: blinded.element)
        let evaluation: PinEvaluation = try await answer(
            to: PinRequest(message: device.pinMessage(guess)), of: .evaluatePin, at: address)
        let knowledge = P256.Signing.PrivateKey()
        let name = try #require(ECPublicJWK(coordinates: Array(knowledge.publicKey.rawRepresentation)))
        let request = PinPromotionRequest(
            message: try device.pinMessage(
                PinPromotion(
                    epoch: offer.epoch, window: offer.window, guess: evaluation.guess,
                    knowledgeKey: PublicJWK.ec(name).thumbprint)),
            knowledgeKeyMessage: try device.pinMessage(
                PinCandidacy(epoch: offer.epoch, window: offer.window, guess: evaluation.guess), by: knowledge))
        let clearing: PinClearing = try await answer(to: request, of: .promotePinEpoch, at: address)
        return Enrolled(
            device: device, offer: offer, window: clearing.window, output: try blinded.output(of: evaluation))
    }

    private func request(_ element: BlindedElement, for pin: Enrolled) throws -> PinRequest {
        let guess = PinGuess(epoch: pin.offer.epoch, window: pin.window, blindedElement: element)
        return PinRequest(message: try pin.device.pinMessage(guess))
    }

    /// A server that is too busy has done nothing, or what the same guess will find: so it is asked again. So is one that was asked so
    /// late that the message is dead.
    private func outcome(
        of element: BlindedElement,
        for pin: Enrolled,
        at address: Issuer,
        through transport: URLSessionTransport
    ) async throws -> Outcome {
        while true {
            let response = try await post(
                request(element, for: pin), to: .evaluatePin, at: address, through: transport)
            if response.status == 200 {
                return .evaluated(try StrictJSON.decode(PinEvaluation.self, from: response.body))
            }
            let problem = try StrictJSON.decode(Problem.self, from: response.body)
            if ![.unavailable, .messageExpired].contains(problem.code) { return .refused(problem.code) }
        }
    }

    private func answer<Answer: Decodable>(
        to message: some Encodable,
        of route: Route,
        at address: Issuer
    ) async throws -> Answer {
        let response = try await post(message, to: route, at: address)
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try StrictJSON.decode(Answer.self, from: response.body)
    }

    private func post(
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

    private struct Unexpected: Error {
        let text: String
    }

    private struct Blinded {
        let publicKey: P384._VOPRF.PublicKey
        let input: P384._VOPRF.BlindedInput
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
}
