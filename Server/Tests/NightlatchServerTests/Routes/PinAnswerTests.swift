import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Answers about two-party PINs")
struct PinAnswerTests {
    private static let digits = "295038"

    private func withPin(
        under rounds: GuessRounds = .default,
        _ body: @escaping @Sendable (TestCaller, TestPin, PinEpochOffer, PinWindow) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.guessRounds = rounds
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store, configuration: configuration) { caller in
            let (pin, offer, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            try await body(caller, pin, offer, try await caller.standing(pin).window)
        }
    }

    @Test(
        """
        Every answer about a two-party PIN, including refusals, is signed for its request by the key named at the \
        binding
        """)
    func signed() async throws {
        try await withPin { caller, pin, offer, window in
            let key = try #require(offer.answerKey)
            let header = try #require(HTTPField.Name(PinAnswerClaims.headerName))
            let issuer = pin.issuer
            func check(_ request: some Encodable, _ route: Route, _ status: Int) async throws {
                let response = try await caller.post(request, to: route)
                #expect(response.status.code == status, "\(route.path)")
                let text = try #require(response.headers[header], "\(route.path), \(status)")
                let (asked, body) = (StrictJSON.encode(request), Data(response.text.utf8))
                let said = PinAnswerClaims(issuer: issuer, request: asked, status: status, answer: body)
                #expect(said.isSigned(in: text, by: key))
                for other in [
                    PinAnswerClaims(issuer: issuer, request: body, status: status, answer: body),
                    PinAnswerClaims(issuer: issuer, request: asked, status: 204, answer: body),
                    PinAnswerClaims(issuer: issuer, request: asked, status: status, answer: asked),
                ] {
                    #expect(!other.isSigned(in: text, by: key))
                }
                #expect(!said.isSigned(in: text, by: try TestKey.newEC().jwk))
            }
            try await check(pin.request(PinInquiry(), by: pin.device.possession), .pinStanding, 200)
            try await check(PinRequest(message: "x"), .pinStanding, 403)
            try await check(["x": "y"], .provePin, 400)
            let unknown = PinProof(epoch: offer.epoch, window: window, guess: .random())
            try await check(pin.request(unknown, by: pin.knowledge), .provePin, 409)
            let opening = try pin.draft(PinOpening(epoch: offer.epoch.next), by: pin.knowledge).text()
            try await check(PinOpeningRequest(message: opening), .openPinEpoch, 200)
            try await check(
                pin.request(PinAbandonment(epoch: offer.epoch.next), by: pin.knowledge), .abandonPinEpoch, 200)
            for number in 0..<11 {
                let guess = try pin.guess(
                    BlindedPin("\(number)", for: offer.publicKey), epoch: offer.epoch, window: window)
                try await check(guess, .evaluatePin, number < 10 ? 200 : 409)
            }
        }
    }

    @Test("A guess in a wait gets 429 with the rest of the wait, in the signed body and for other clients in a header")
    func waiting() async throws {
        let rounds = try GuessRounds(guesses: [1, 2], waits: [.seconds(90)])
        try await withPin(under: rounds) { caller, pin, offer, window in
            func guess() async throws -> (request: PinRequest, response: TestResponse) {
                let request = try pin.guess(
                    BlindedPin(Self.digits, for: offer.publicKey), epoch: offer.epoch, window: window)
                return (request, try await caller.post(request, to: .evaluatePin))
            }
            let first: PinEvaluation = try await guess().response.message()
            #expect(first.wait == PinWait(seconds: 90) && first.triesLeft == 2)
            try await TestTime.after(.seconds(30)) {
                let (request, response) = try await guess()
                #expect(response.status == .tooManyRequests && response.headers[.retryAfter] == "60")
                let problem = try StrictJSON.decode(Problem.self, from: Data(response.text.utf8))
                #expect(problem.code == .pinWaiting && problem.pin?.wait == PinWait(seconds: 60))
                #expect(problem.pin?.triesLeft == 2 && problem.pin?.window == window)
                let header = try #require(HTTPField.Name(PinAnswerClaims.headerName))
                let text = try #require(response.headers[header])
                let said = PinAnswerClaims(
                    issuer: pin.issuer, request: StrictJSON.encode(request), status: 429,
                    answer: Data(response.text.utf8))
                #expect(said.isSigned(in: text, by: try #require(offer.answerKey)))
                let standing = try await caller.standing(pin)
                #expect(standing.wait == PinWait(seconds: 60) && standing.triesLeft == 2)
            }
            try await TestTime.after(.seconds(90)) {
                let second: PinEvaluation = try await guess().response.message()
                #expect(second.wait == nil && second.charged.ids.count == 2)
            }
        }
    }

    @Test("The binding names the key that signs answers, and every opening names the same key")
    func namedAtBinding() async throws {
        try await withPin { caller, pin, offer, _ in
            let device = TestDevice()
            let code = try await caller.code(for: pin.user)
            let begun = try await caller.beginBinding(device, code: code)
            let message = try device.bindingDraft(
                user: begun.user, challenge: begun.challenge, to: caller.issuer, name: Fixture.phone()
            ).text()
            let result: BindingResult = try await caller.post(
                BindingAnswer(handle: begun.handle, message: message), to: .finishBinding
            ).message()
            #expect(result.answerKey == offer.answerKey && offer.answerKey != nil)
        }
    }

    @Test("A guess has one proof, even for many requests at once, and is charged once")
    func oneProof() async throws {
        try await withPin { caller, pin, offer, window in
            let blinded = try BlindedPin(Self.digits, for: offer.publicKey)
            let request = try pin.guess(blinded, epoch: offer.epoch, window: window)
            let evaluations = try await inParallel(20) {
                let evaluation: PinEvaluation = try await caller.post(request, to: .evaluatePin).message()
                return evaluation
            }
            #expect(Set(evaluations.map(\.proof)).count == 1 && Set(evaluations.map(\.guess)).count == 1)
            #expect(evaluations.allSatisfy { $0.triesLeft == 9 })
            for evaluation in evaluations { _ = try blinded.finalize(evaluation) }
            let other: PinEvaluation = try await caller.post(
                pin.guess(BlindedPin(Self.digits, for: offer.publicKey), epoch: offer.epoch, window: window),
                to: .evaluatePin
            ).message()
            #expect(other.proof != evaluations[0].proof && other.triesLeft == 8)
        }
    }

    @Test(
        """
        Whether an element is a point is revealed only for a live message by the key of a device that is neither \
        blocked nor revoked
        """)
    func noPoint() async throws {
        try await withPin { caller, pin, offer, window in
            let beyond = try #require(BlindedElement(bytes: [2] + .init(repeating: 255, count: 48)))
            let guess = PinGuess(epoch: offer.epoch, window: window, blindedElement: beyond)
            func post(by key: TestKey, now: NumericDate = TestTime.current) async throws -> TestResponse {
                try await caller.post(
                    PinRequest(message: pin.draft(guess, by: key, now: now).text()), to: .evaluatePin)
            }
            for key in [TestKey.newEC(), pin.knowledge, pin.device.key] {
                try await post(by: key).expectProblem(.messageRefused, 403)
            }
            try await post(by: pin.device.possession, now: TestTime.current + .seconds(-121))
                .expectProblem(.messageExpired, 409)
            try await post(by: pin.device.possession).expectProblem(.blindedElementRefused, 400)
            let token = try await caller.logIn(pin.device, id: pin.id, user: pin.user).message(TokenGrant.self)
                .accessToken
            _ = try await caller.revoke(pin.id, by: pin.device, token: token)
            try await post(by: pin.device.possession).expectProblem(.deviceRevoked, 401)
        }
    }

    @Test("An expired message of any kind learns only the time")
    func oldMessages() async throws {
        try await withPin { caller, pin, offer, window in
            let old = TestTime.current + .seconds(-121)
            let proof = PinProof(epoch: offer.epoch, window: window, guess: .random())
            let responses = [
                try await caller.post(
                    PinRequest(message: pin.draft(PinInquiry(), by: pin.device.possession, now: old).text()),
                    to: .pinStanding),
                try await caller.post(
                    PinRequest(message: pin.draft(proof, by: pin.knowledge, now: old).text()), to: .provePin),
                try await caller.post(
                    PinOpeningRequest(
                        message: pin.draft(PinOpening(epoch: offer.epoch.next), by: pin.knowledge, now: old).text(),
                        enrolmentCode: nil),
                    to: .openPinEpoch),
                try await caller.post(
                    PinRequest(
                        message: pin.draft(PinAbandonment(epoch: offer.epoch), by: pin.knowledge, now: old).text()),
                    to: .abandonPinEpoch),
            ]
            for response in responses {
                try response.expectProblem(.messageExpired, 409)
                let problem = try StrictJSON.decode(Problem.self, from: Data(response.text.utf8))
                #expect(problem.issuedAt == TestTime.current && problem.pin == nil)
            }
        }
    }
}
