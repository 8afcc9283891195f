import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Guesses at one two-party PIN at three server processes over one database", .timeLimit(.minutes(10)))
struct PinRaceTests {
    private static let digits = "295038"

    /// The outcome of a guess.
    private enum Outcome: Sendable {
        case evaluated(PinEvaluation)
        case refused(ProblemCode)
    }

    @Test(
        "Of 1,000 evaluations at once against a limit of 10, exactly 10 succeed", arguments: ServerFleet.Kind.allCases)
    func thousandAtOnce(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let pin = try await EnrolledPin(Self.digits, of: "alice", at: fleet)
            let elements = try (0..<1000).map { try BlindedDigits("\($0)", for: pin.offer.publicKey).element }
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
            // The right PIN is too late.
            let right = try await outcome(
                of: BlindedDigits(Self.digits, for: pin.offer.publicKey).element, for: pin, at: fleet.addresses[0],
                through: transports[0])
            guard case .refused(.pinDestroyed) = right else { throw Unexpected(text: "\(right)") }
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    @Test(
        """
        Of 1,000 evaluations at once, as many succeed as the round allows; the wait holds at every process and after \
        kills, and repeating a charged guess is answered
        """, arguments: ServerFleet.Kind.allCases)
    func thousandInARound(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind, options: ["--guess-rounds", "4,1h,4"]) { fleet in
            let pin = try await EnrolledPin(Self.digits, of: "alice", at: fleet)
            let elements = try (0..<1000).map { try BlindedDigits("\($0)", for: pin.offer.publicKey).element }
            let transports = (0..<30).map { _ in URLSessionTransport() }
            let outcomes = try await withThrowingTaskGroup(of: (BlindedElement, Outcome).self) { group in
                for (number, element) in elements.enumerated() {
                    let address = fleet.addresses[number % fleet.addresses.count]
                    group.addTask {
                        let transport = transports[number % transports.count]
                        return (element, try await outcome(of: element, for: pin, at: address, through: transport))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let charged = outcomes.compactMap { element, outcome in
                if case .evaluated(let evaluation) = outcome { (element, evaluation.guess) } else { nil }
            }
            #expect(charged.count == 4 && Set(charged.map(\.1)).count == 4)
            let refused = outcomes.compactMap { if case .refused(let code) = $0.1 { code } else { nil } }
            #expect(refused == Array(repeating: .pinWaiting, count: 996))

            for number in fleet.servers.indices { try await fleet.kill(number) }
            for number in fleet.servers.indices { try await fleet.restart(number) }
            let transport = URLSessionTransport()
            for address in fleet.addresses {
                let right = try BlindedDigits(Self.digits, for: pin.offer.publicKey).element
                let refused = try await outcome(of: right, for: pin, at: address, through: transport)
                guard case .refused(.pinWaiting) = refused else { throw Unexpected(text: "\(refused)") }
                let again = try await outcome(of: charged[0].0, for: pin, at: address, through: transport)
                guard case .evaluated(let evaluation) = again else { throw Unexpected(text: "\(again)") }
                #expect(evaluation.guess == charged[0].1 && evaluation.triesLeft == 4)
                #expect(try #require(evaluation.wait).seconds > 3000)
            }
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        }
    }

    /// Sends a guess until a server decides it.
    ///
    /// A server that is too busy has either done nothing or recorded the outcome that the same guess will get again. If
    /// the message has expired by then, a new one is sent.
    private func outcome(
        of element: BlindedElement,
        for pin: EnrolledPin,
        at address: Issuer,
        through transport: URLSessionTransport
    ) async throws -> Outcome {
        while true {
            let response = try await PinMessages.post(
                pin.request(element), to: .evaluatePin, at: address, through: transport)
            if response.status == 200 {
                return .evaluated(try StrictJSON.decode(PinEvaluation.self, from: response.body))
            }
            let problem = try StrictJSON.decode(Problem.self, from: response.body)
            if ![.unavailable, .messageExpired].contains(problem.code) { return .refused(problem.code) }
        }
    }

    private struct Unexpected: Error {
        let text: String
    }
}
