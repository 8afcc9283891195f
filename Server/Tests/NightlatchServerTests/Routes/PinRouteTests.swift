import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Two-party PINs over HTTP")
struct PinRouteTests {
    private static let digits = "295038"

    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), body)
    }

    @Test(
        "A PIN is enrolled, unlocks in two round trips and is changed, and the old epoch is destroyed",
        arguments: StoreKind.allCases)
    func story(kind: StoreKind) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store, setup: .live) { caller in
                let enrolled = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
                var pin = enrolled.pin
                let (offer, output) = (enrolled.offer, enrolled.output)
                let standing = try await caller.standing(pin)
                #expect(standing.epoch == offer.epoch && standing.candidate == nil && standing.triesLeft == 10)
                #expect(standing.isCodeRequired && standing.window.rawValue == 1)

                let (right, wrong) = (
                    try BlindedPin(Self.digits, for: offer.publicKey), try BlindedPin("860527", for: offer.publicKey)
                )
                let mistyped: PinEvaluation = try await caller.post(
                    pin.guess(wrong, epoch: offer.epoch, window: standing.window), to: .evaluatePin
                ).message()
                #expect(try wrong.finalize(mistyped) != output)
                let opened: PinEvaluation = try await caller.post(
                    pin.guess(right, epoch: offer.epoch, window: standing.window), to: .evaluatePin
                ).message()
                #expect(try right.finalize(opened) == output)
                #expect(opened.charged.ids == [mistyped.guess, opened.guess] && opened.triesLeft == 8)
                let proof = PinProof(
                    epoch: offer.epoch, window: standing.window, guess: opened.guess, own: opened.charged)
                let clearing: PinClearing = try await caller.post(
                    pin.request(proof, by: pin.knowledge), to: .provePin
                ).message()
                #expect(clearing.cleared == opened.charged && clearing.window == standing.window.next)

                let knowledge = pin.knowledge
                let changed = try await caller.changeEpoch(of: &pin, digits: Self.digits, by: knowledge)
                #expect(changed.output != output && changed.offer.publicKey != offer.publicKey)
                let dead = try await caller.post(
                    pin.guess(right, epoch: offer.epoch, window: clearing.window.next), to: .evaluatePin)
                try dead.expectProblem(.pinEpochPassed, 409)
                #expect(try dead.standing().epoch == changed.offer.epoch)
            }
        }
    }

    @Test("A lost answer can be fetched again, also with a new message: the same guess is not charged again")
    func lostAnswers() async throws {
        try await withCaller { caller in
            let (pin, offer, output) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let window = try await caller.standing(pin).window
            let blinded = try BlindedPin(Self.digits, for: offer.publicKey)
            let request = try pin.guess(blinded, epoch: offer.epoch, window: window)
            let first: PinEvaluation = try await caller.post(request, to: .evaluatePin).message()
            for request in [request, try pin.guess(blinded, epoch: offer.epoch, window: window)] {
                let again: PinEvaluation = try await caller.post(request, to: .evaluatePin).message()
                #expect(again.guess == first.guess && again.evaluatedElement == first.evaluatedElement)
                #expect(again.proof == first.proof, "Each guess has one proof.")
                #expect(again.triesLeft == 9 && again.charged.ids == [first.guess])
                #expect(try blinded.finalize(again) == output)
            }
            let proof = PinProof(epoch: offer.epoch, window: window, guess: first.guess)
            let cleared: PinClearing = try await caller.post(pin.request(proof, by: pin.knowledge), to: .provePin)
                .message()
            let again: PinClearing = try await caller.post(pin.request(proof, by: pin.knowledge), to: .provePin)
                .message()
            #expect(again == cleared)

            let replayed = try await caller.post(request, to: .evaluatePin)
            try replayed.expectProblem(.pinWindowPassed, 409)
            let standing = try await caller.standing(pin)
            #expect(try replayed.standing() == standing)
            #expect(standing.triesLeft == 10 && standing.window == window.next)
        }
    }

    @Test("An element that is not a point is refused, and nothing is charged or evaluated")
    func points() async throws {
        try await withCaller { caller in
            let (pin, offer, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let window = try await caller.standing(pin).window
            let beyond = try #require(BlindedElement(bytes: [2] + .init(repeating: 255, count: 48)))
            let guess = PinGuess(epoch: offer.epoch, window: window, blindedElement: beyond)
            try await caller.post(pin.request(guess, by: pin.device.possession), to: .evaluatePin)
                .expectProblem(.blindedElementRefused, 400)
            // The point at infinity, a point that is not compressed, and one with a byte too few.
            let good = try BlindedPin(Self.digits, for: offer.publicKey)
            let whole = try P384.Signing.PublicKey(compressedRepresentation: good.element.bytes)
            for bytes in [[0], Array(whole.x963Representation), Array(good.element.bytes.dropLast())] {
                var draft = try pin.draft(
                    PinGuess(epoch: offer.epoch, window: window, blindedElement: good.element),
                    by: pin.device.possession)
                draft.payload["blinded_element"] = Base64URL.encode(bytes)
                try await caller.post(PinRequest(message: draft.text()), to: .evaluatePin)
                    .expectProblem(.messageRefused, 403)
            }
            #expect(try await caller.standing(pin).triesLeft == 10)
        }
    }

    @Test(
        """
        A message that is expired, or dated by a wrong clock, is refused without a charge, and the answer has the \
        right time
        """)
    func clock() async throws {
        try await withCaller { caller in
            let (pin, offer, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let blinded = try BlindedPin(Self.digits, for: offer.publicKey)
            let guess = PinGuess(
                epoch: offer.epoch, window: try await caller.standing(pin).window, blindedElement: blinded.element)
            for now in [TestTime.current + .seconds(-121), TestTime.current + .seconds(61)] {
                let message = try pin.draft(guess, by: pin.device.possession, now: now).text()
                let response = try await caller.post(PinRequest(message: message), to: .evaluatePin)
                try response.expectProblem(.messageExpired, 409)
                let problem = try StrictJSON.decode(Problem.self, from: Data(response.text.utf8))
                #expect(problem.issuedAt == TestTime.current)
                #expect(problem.pin == nil, "Who has kept an old message learns nothing else.")
            }
            var long = try pin.draft(guess, by: pin.device.possession)
            long.payload["exp"] = TestTime.current.secondsSince1970 + 61
            try await caller.post(PinRequest(message: long.text()), to: .evaluatePin)
                .expectProblem(.messageExpired, 409)
            // A caller without the device's key learns nothing about the device.
            let message = try pin.draft(guess, by: .newEC(), now: TestTime.current + .seconds(-121)).text()
            try await caller.post(PinRequest(message: message), to: .evaluatePin).expectProblem(.messageRefused, 403)
            #expect(try await caller.standing(pin).triesLeft == 10)
        }
    }

    @Test(
        """
        A wrong key, an unknown device, another user, another kind of message and another server get the same refusal, \
        and nothing is charged
        """)
    func strangers() async throws {
        try await withCaller { caller in
            let (pin, offer, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let (other, _, _) = try await caller.enrolledPin(of: Fixture.bob(), digits: Self.digits)
            let blinded = try BlindedPin(Self.digits, for: offer.publicKey)
            let window = try await caller.standing(pin).window
            let guess = PinGuess(epoch: offer.epoch, window: window, blindedElement: blinded.element)
            let possession = pin.device.possession
            let changes: [(TestKey, (inout Draft) throws -> Void)] = [
                (other.device.possession, { _ in }), (pin.device.key, { _ in }), (pin.knowledge, { _ in }),
                (possession, { $0.payload["device_id"] = other.id.rawValue }),
                (possession, { $0.payload["device_id"] = DeviceID.random().rawValue }),
                (possession, { $0.payload["sub"] = "bob" }), (possession, { $0.payload["sub"] = "nobody" }),
                (possession, { $0.payload["aud"] = "https://other.example" }),
                (possession, { $0.payload["iss"] = "other" }),
                (possession, { $0.header["typ"] = MessageType.pinStanding.rawValue }),
                (possession, { $0.header["typ"] = MessageType.dpop.rawValue }),
                (possession, { $0.header["kid"] = try possession.id.rawValue }),
                (possession, { $0.header["jwk"] = nil }), (possession, { $0.signer = .newEC() }),
                (possession, { $0.algorithm = "none" }), (possession, { $0.header["crit"] = ["x"] }),
                (possession, { $0.payload["window"] = nil }),
            ]
            for (key, change) in changes {
                var draft = try pin.draft(guess, by: key)
                try change(&draft)
                try await caller.post(PinRequest(message: draft.text()), to: .evaluatePin)
                    .expectProblem(.messageRefused, 403)
            }
            #expect(try await caller.standing(pin).triesLeft == 10)
            #expect(try await caller.standing(other).triesLeft == 10)
        }
    }

    @Test("Another device's guess, another key and an older window prove nothing")
    func foreignGuess() async throws {
        try await withCaller { caller in
            let (pin, offer, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let (other, foreign, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let window = try await caller.standing(pin).window
            let own: PinEvaluation = try await caller.post(
                pin.guess(BlindedPin("1", for: offer.publicKey), epoch: offer.epoch, window: window), to: .evaluatePin
            ).message()
            let theirs: PinEvaluation = try await caller.post(
                other.guess(BlindedPin("1", for: foreign.publicKey), epoch: foreign.epoch, window: window),
                to: .evaluatePin
            ).message()
            func prove(_ guess: PinGuessID, window: PinWindow = window, by key: TestKey) async throws -> TestResponse {
                try await caller.post(
                    pin.request(PinProof(epoch: offer.epoch, window: window, guess: guess), by: key), to: .provePin)
            }
            try await prove(theirs.guess, by: pin.knowledge).expectProblem(.pinGuessUnknown, 409)
            try await prove(.random(), by: pin.knowledge).expectProblem(.pinGuessUnknown, 409)
            try await prove(own.guess, window: .first, by: pin.knowledge).expectProblem(.pinWindowPassed, 409)
            for key in [other.knowledge, pin.device.key, pin.device.possession] {
                try await prove(own.guess, by: key).expectProblem(.messageRefused, 403)
            }
            #expect(try await caller.standing(pin).triesLeft == 9)
        }
    }

    @Test("A candidate is promoted by the key that opened it and by its own knowledge key, with equal statements")
    func promotion() async throws {
        try await withCaller { caller in
            let (pin, offer, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let candidate: PinEpochOffer = try await caller.open(offer.epoch.next, of: pin, by: pin.knowledge).message()
            let again: PinEpochOffer = try await caller.open(offer.epoch.next, of: pin, by: pin.knowledge).message()
            #expect(again.publicKey == candidate.publicKey && candidate.publicKey != offer.publicKey)
            let evaluation: PinEvaluation = try await caller.post(
                pin.guess(
                    BlindedPin("1", for: candidate.publicKey), epoch: candidate.epoch, window: candidate.window),
                to: .evaluatePin
            ).message()
            let knowledge = TestKey.newEC()
            func promotion(by opener: TestKey, knowledge: TestKey) throws -> PinPromotionRequest {
                try pin.promotion(
                    to: candidate.epoch, window: candidate.window, guess: evaluation.guess, by: opener,
                    knowledge: knowledge)
            }
            let good = try promotion(by: pin.knowledge, knowledge: knowledge)
            let othersCandidacy = try promotion(by: pin.knowledge, knowledge: .newEC()).knowledgeKeyMessage
            let otherWindow = try pin.draft(
                PinCandidacy(epoch: candidate.epoch, window: candidate.window.next, guess: evaluation.guess),
                by: knowledge
            ).text()
            for request in [
                try promotion(by: pin.device.key, knowledge: knowledge),
                try promotion(by: pin.device.possession, knowledge: knowledge),
                try promotion(by: .newEC(), knowledge: knowledge),
                try promotion(by: pin.knowledge, knowledge: pin.knowledge),
                PinPromotionRequest(message: good.message, knowledgeKeyMessage: othersCandidacy),
                PinPromotionRequest(message: good.message, knowledgeKeyMessage: otherWindow),
                PinPromotionRequest(message: good.knowledgeKeyMessage, knowledgeKeyMessage: good.message),
                // Both messages name a public key that an attacker has put in the candidate; or only one of them does.
                try pin.promotion(
                    to: candidate.epoch, window: candidate.window, guess: evaluation.guess, by: pin.knowledge,
                    knowledge: knowledge, publicKey: offer.publicKey),
                PinPromotionRequest(
                    message: try pin.promotion(
                        to: candidate.epoch, window: candidate.window, guess: evaluation.guess, by: pin.knowledge,
                        knowledge: knowledge, publicKey: candidate.publicKey
                    ).message, knowledgeKeyMessage: good.knowledgeKeyMessage),
            ] {
                try await caller.post(request, to: .promotePinEpoch).expectProblem(.messageRefused, 403)
            }
            #expect(try await caller.standing(pin).epoch == offer.epoch)
            let abandonment = try pin.request(PinAbandonment(epoch: candidate.epoch), by: pin.knowledge)
            for _ in 0..<2 {
                let standing: PinStanding = try await caller.post(abandonment, to: .abandonPinEpoch).message()
                #expect(standing.candidate == nil && standing.epoch == offer.epoch && standing.triesLeft == 9)
            }
            try await caller.post(good, to: .promotePinEpoch).expectProblem(.pinEpochPassed, 409)
            try await caller.open(candidate.epoch, of: pin, by: pin.knowledge).expectProblem(.pinEpochPassed, 409)
            #expect(try await caller.standing(pin).triesLeft == 9)
        }
    }

    @Test("Once the guesses are used up, only full credentials start over, and the old guesses are invalid")
    func destroyed() async throws {
        try await withCaller { caller in
            let enrolled = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            var pin = enrolled.pin
            let offer = enrolled.offer
            let window = try await caller.standing(pin).window
            func guess(_ digits: String) async throws -> TestResponse {
                try await caller.post(
                    pin.guess(BlindedPin(digits, for: offer.publicKey), epoch: offer.epoch, window: window),
                    to: .evaluatePin)
            }
            for number in 1...10 { _ = try await guess("\(number)").message(PinEvaluation.self) }
            for _ in 0..<2 { try await guess(Self.digits).expectProblem(.pinDestroyed, 409) }
            let standing = try await caller.standing(pin)
            #expect(standing.epoch == nil && standing.isCodeRequired)
            let deviceKey = pin.device.key
            try await caller.open(standing.nextEpoch, of: pin, by: deviceKey).expectProblem(.enrolmentCodeRequired, 403)
            try await caller.open(standing.nextEpoch, of: pin, by: pin.knowledge).expectProblem(.pinDestroyed, 409)
            try await caller.open(standing.nextEpoch, of: pin, by: deviceKey, code: .random())
                .expectProblem(.enrolmentCodeRefused, 403)
            let code = try await caller.code(for: pin.user)
            let anew = try await caller.changeEpoch(of: &pin, digits: Self.digits, by: deviceKey, code: code)
            #expect(anew.offer.publicKey != offer.publicKey)
            #expect(try await caller.standing(pin).triesLeft == 10)
        }
    }

    @Test(
        "A login names the PIN that opened the vault, and a local PIN can be refused",
        arguments: LocalPinPolicy.allCases)
    func logins(policy: LocalPinPolicy) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.localPin = policy
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), configuration: configuration) {
            caller in
            let (pin, _, _) = try await caller.enrolledPin(of: Fixture.alice(), digits: Self.digits)
            let without = try await caller.newPin(of: Fixture.alice())
            func logIn(_ pin: TestPin, after userVerification: UserVerification?) async throws -> TestResponse {
                let begun = try await caller.beginLogin(user: pin.user, device: pin.id)
                let message = try pin.device.loginDraft(
                    user: pin.user, challenge: begun.challenge, to: caller.issuer, userVerification: userVerification)
                return try await caller.token(
                    .login(assertion: message.text(), handle: begun.handle), proof: caller.proof(by: pin.device))
            }
            for userVerification in [UserVerification.twoPartyPin, .biometrics, .recoveryPhrase] {
                #expect(try await logIn(pin, after: userVerification).status == .ok)
            }
            for userVerification in [UserVerification.pin, nil] {
                let response = try await logIn(pin, after: userVerification)
                switch policy {
                case .accepted: #expect(response.status == .ok)
                case .refused: try response.expectOAuthError(.invalidGrant, .localPinRefused)
                }
            }
            try await logIn(without, after: .twoPartyPin).expectOAuthError(.invalidGrant, .pinNotEnrolled)
        }
    }

    @Test("A device without a two-party PIN is refused as not enrolled, and a blocked or revoked one as such")
    func stops() async throws {
        try await withCaller { caller in
            let pin = try await caller.newPin(of: Fixture.alice())
            let key = try await PinEvaluator(keyring: .random()).makeKey(for: pin.id, epoch: .first).publicKey
            let guess = try pin.guess(BlindedPin("1", for: key), epoch: .first, window: .first)
            try await caller.post(guess, to: .evaluatePin).expectProblem(.pinNotEnrolled, 409)
            #expect(try await caller.standing(pin).epoch == nil)
            let token = try await caller.logIn(pin.device, id: pin.id, user: pin.user).message(TokenGrant.self)
                .accessToken
            _ = try await caller.revoke(pin.id, by: pin.device, token: token)
            try await caller.post(guess, to: .evaluatePin).expectProblem(.deviceRevoked, 401)
            try await caller.post(pin.request(PinInquiry(), by: pin.device.possession), to: .pinStanding)
                .expectProblem(.deviceRevoked, 401)
        }
    }
}

extension TestResponse {
    /// Returns the standing of the PIN in a problem.
    fileprivate func standing() throws -> PinStanding {
        try #require(StrictJSON.decode(Problem.self, from: Data(text.utf8)).pin)
    }
}
