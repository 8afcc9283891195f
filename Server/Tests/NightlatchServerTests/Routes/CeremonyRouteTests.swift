import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Ceremonies over HTTP")
struct CeremonyRouteTests {
    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), body)
    }

    private static func answer(
        _ begun: BindingChallenge,
        by device: TestDevice,
        to caller: TestCaller
    ) throws -> BindingAnswer {
        let draft = try device.bindingDraft(
            user: begun.user, challenge: begun.challenge, to: caller.issuer, name: Fixture.phone())
        return BindingAnswer(handle: begun.handle, message: try draft.text())
    }

    @Test("A lost answer to a binding can be fetched again, with the same message and with a new beginning")
    func lostAnswer() async throws {
        try await withCaller { caller in
            let device = TestDevice()
            let code = try await caller.code(for: Fixture.alice())
            let begun = try await caller.beginBinding(device, code: code)
            let answer = try Self.answer(begun, by: device, to: caller)
            let first = try await caller.post(answer, to: .finishBinding).message(BindingResult.self)
            #expect(try await caller.post(answer, to: .finishBinding).message(BindingResult.self) == first)
            try await caller.post(Self.answer(begun, by: device, to: caller), to: .finishBinding)
                .expectProblem(.challengeUsed, 409)
            let again = try await caller.beginBinding(device, code: code)
            let second = try Self.answer(again, by: device, to: caller)
            #expect(try await caller.post(second, to: .finishBinding).message(BindingResult.self) == first)
        }
    }

    @Test("Unknown, expired and used codes get the same refusal at the beginning")
    func codes() async throws {
        try await withCaller { caller in
            let device = TestDevice()
            func begin(_ code: EnrolmentCode) async throws -> TestResponse {
                try await caller.post(BindingRequest(enrolmentCode: code, deviceKey: device.key.id), to: .beginBinding)
            }
            try await begin(.random()).expectProblem(.enrolmentCodeRefused, 403)
            let code = try await caller.code(for: Fixture.alice())
            try await TestTime.after(.seconds(601)) {
                try await begin(code).expectProblem(.enrolmentCodeRefused, 403)
            }
            let other = TestDevice()
            let begun = try await caller.beginBinding(other, code: code)
            _ = try await caller.post(Self.answer(begun, by: other, to: caller), to: .finishBinding)
                .message(BindingResult.self)
            try await begin(code).expectProblem(.enrolmentCodeRefused, 403)
        }
    }

    @Test("Of two devices that began with one code, the slower one is refused")
    func codeUsedInBetween() async throws {
        try await withCaller { caller in
            let (fast, slow) = (TestDevice(), TestDevice())
            let code = try await caller.code(for: Fixture.alice())
            let slowBegun = try await caller.beginBinding(slow, code: code)
            let fastBegun = try await caller.beginBinding(fast, code: code)
            _ = try await caller.post(Self.answer(fastBegun, by: fast, to: caller), to: .finishBinding)
                .message(BindingResult.self)
            try await caller.post(Self.answer(slowBegun, by: slow, to: caller), to: .finishBinding)
                .expectProblem(.enrolmentCodeRefused, 403)
        }
    }

    @Test("A handle that was changed, is too old or belongs to another ceremony is refused")
    func handles() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let begun = try await caller.beginBinding(device, code: try await caller.code(for: alice))
            let login = try await caller.beginLogin(user: alice, device: id)
            let good = try Self.answer(begun, by: device, to: caller)

            try await caller.post(BindingAnswer(handle: login.handle, message: good.message), to: .finishBinding)
                .expectProblem(.challengeRefused, 400)
            let forged = try #require(ChallengeHandle(rawValue: "AAAA" + begun.handle.rawValue.dropFirst(4)))
            try await caller.post(BindingAnswer(handle: forged, message: good.message), to: .finishBinding)
                .expectProblem(.challengeRefused, 400)
            let assertion = try device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer).text()
            try await caller.token(
                .login(assertion: assertion, handle: begun.handle), proof: caller.proof(by: device)
            ).expectOAuthError(.invalidGrant, .challengeRefused)
            try await TestTime.after(.seconds(121)) {
                try await caller.post(Self.answer(begun, by: device, to: caller), to: .finishBinding)
                    .expectProblem(.challengeExpired, 400)
                try await caller.token(
                    .login(assertion: assertion, handle: login.handle), proof: caller.proof(by: device)
                ).expectOAuthError(.invalidGrant, .challengeExpired)
            }
        }
    }

    @Test("A challenge made while the clock was an hour ahead counts as expired")
    func challengesOfTheFuture() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let code = try await caller.code(for: alice)
            func begin(ahead seconds: Int) async throws -> (BindingChallenge, LoginChallenge) {
                try await TestTime.after(.seconds(seconds)) {
                    (
                        try await caller.beginBinding(device, code: code),
                        try await caller.beginLogin(user: alice, device: id)
                    )
                }
            }
            func finish(_ begun: (BindingChallenge, LoginChallenge)) async throws -> (TestResponse, TestResponse) {
                let assertion = try device.loginDraft(user: alice, challenge: begun.1.challenge, to: caller.issuer)
                    .text()
                return (
                    try await caller.post(Self.answer(begun.0, by: device, to: caller), to: .finishBinding),
                    try await caller.token(
                        .login(assertion: assertion, handle: begun.1.handle), proof: caller.proof(by: device))
                )
            }
            let refused = try await finish(begin(ahead: 61))
            try refused.0.expectProblem(.challengeExpired, 400)
            try refused.1.expectOAuthError(.invalidGrant, .challengeExpired)
            // The clocks of two processes may differ by this much.
            let accepted = try await finish(begin(ahead: 60))
            #expect(accepted.0.status == .ok && accepted.1.status == .ok)
        }
    }

    @Test("A binding by another key, or for another user, is refused")
    func wrongBindings() async throws {
        try await withCaller { caller in
            let (device, other) = (TestDevice(), TestDevice())
            let begun = try await caller.beginBinding(device, code: try await caller.code(for: Fixture.alice()))
            try await caller.post(Self.answer(begun, by: other, to: caller), to: .finishBinding)
                .expectProblem(.messageRefused, 403)
            let forBob = try device.bindingDraft(
                user: Fixture.bob(), challenge: begun.challenge, to: caller.issuer, name: Fixture.phone())
            try await caller.post(BindingAnswer(handle: begun.handle, message: forBob.text()), to: .finishBinding)
                .expectProblem(.messageRefused, 403)
            _ = try await caller.post(Self.answer(begun, by: device, to: caller), to: .finishBinding)
                .message(BindingResult.self)
        }
    }

    @Test("A key that is already bound and a device beyond the limit are refused with separate codes")
    func boundElsewhere() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.activeDeviceLimit = try #require(ActiveDeviceLimit(1))
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), configuration: configuration) {
            caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            _ = try await caller.bind(device, to: alice)
            func finish(_ device: TestDevice, for user: UserID) async throws -> TestResponse {
                let begun = try await caller.beginBinding(device, code: try await caller.code(for: user))
                return try await caller.post(Self.answer(begun, by: device, to: caller), to: .finishBinding)
            }
            try await finish(device, for: Fixture.bob()).expectProblem(.deviceKeyTaken, 409)
            try await finish(TestDevice(), for: alice).expectProblem(.tooManyDevices, 409)
            #expect(try await finish(TestDevice(), for: Fixture.bob()).status == .ok)
        }
    }

    @Test("A removed app gets no more tokens, and its existing tokens are refused")
    func removedApp() async throws {
        let (store, masterKey) = (MemoryRelyingPartyStore(clock: TestTime.clock), MasterKey.random())
        let (alice, device) = (try Fixture.alice(), TestDevice())
        try await TestRelyingParty.with(store, masterKey: masterKey) { caller in
            let id = try await caller.bind(device, to: alice)
            let grant = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self)
            let configuration = RelyingPartyConfiguration(
                issuer: caller.issuer, clients: [try #require(ClientID(rawValue: "other"))])
            try await TestRelyingParty.with(store, masterKey: masterKey, configuration: configuration) { caller in
                try await caller.devices(by: device, token: grant.accessToken)
                    .expectProblem(.accessTokenRefused, 401)
                try await caller.refresh(grant.refreshToken, by: device)
                    .expectOAuthError(.invalidGrant, .refreshTokenRefused)
                try await caller.logIn(device, id: id, user: alice)
                    .expectOAuthError(.invalidGrant, .messageRefused)
            }
            #expect(try await caller.refresh(grant.refreshToken, by: device).status == .ok)
        }
    }

    @Test(
        "A replaced possession key is invalid at once, with the tokens that are bound to it", arguments: [true, false])
    func replacedPossessionKey(byLogin: Bool) async throws {
        try await withCaller { caller in
            let (alice, old) = (try Fixture.alice(), TestDevice())
            var new = old
            new.possession = .newEC()
            let id = try await caller.bind(old, to: alice)
            let grant = try await caller.logIn(old, id: id, user: alice).message(TokenGrant.self)
            if byLogin {
                #expect(try await caller.logIn(new, id: id, user: alice).status == .ok)
            } else {
                #expect(try await caller.bind(new, to: alice) == id)
            }
            try await caller.devices(by: old, token: grant.accessToken).expectProblem(.accessTokenRefused, 401)
            try await caller.devices(by: new, token: grant.accessToken).expectProblem(.dpopProofRefused, 401)
            try await caller.refresh(grant.refreshToken, by: old)
                .expectOAuthError(.invalidGrant, .refreshTokenRefused)
        }
    }

    @Test(
        "A refresh token that the server did not issue is refused",
        arguments: ["AAAA", String(repeating: "A", count: 43), String(repeating: "A", count: 64), "not=base64~url"])
    func strangeRefreshToken(text: String) async throws {
        try await withCaller { caller in
            let token = try #require(RefreshToken(rawValue: text))
            try await caller.refresh(token, by: TestDevice()).expectOAuthError(.invalidGrant, .refreshTokenRefused)
        }
    }

    @Test("An unknown user, an unknown device and a wrong signature get the same answer, byte for byte")
    func sameAnswer() async throws {
        try await withCaller { caller in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let answers = [
                try await caller.logIn(device, id: id, user: bob),
                try await caller.logIn(device, id: .random(), user: alice),
                try await caller.logIn(TestDevice(), id: id, user: alice),
            ]
            for answer in answers { try answer.expectOAuthError(.invalidGrant, .messageRefused) }
            #expect(Set(answers.map { $0.text }).count == 1)
        }
    }

    @Test("A login without a proof by the key that it names gives no tokens and uses nothing up")
    func loginProofs() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let begun = try await caller.beginLogin(user: alice, device: id)
            let assertion = try device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer).text()
            let request = TokenRequest.login(assertion: assertion, handle: begun.handle)
            for proof in [
                nil, "nonsense", try caller.proof(by: TestDevice()), try caller.proof(by: device, for: .devices),
            ] {
                try await caller.token(request, proof: proof).expectOAuthError(.invalidDPoPProof, .dpopProofRefused)
            }
            _ = try await caller.token(request, proof: caller.proof(by: device)).message(TokenGrant.self)
            try await caller.token(request, proof: caller.proof(by: device))
                .expectOAuthError(.invalidGrant, .challengeUsed)
        }
    }

    @Test("Only a caller with the device key learns that the device is revoked")
    func revokedIsASecret() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let token = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self).accessToken
            _ = try await caller.revoke(id, by: device, token: token).message(DeviceSummary.self)
            try await caller.logIn(TestDevice(), id: id, user: alice).expectOAuthError(.invalidGrant, .messageRefused)
            try await caller.devices(by: TestDevice(), token: token).expectProblem(.dpopProofRefused, 401)
            try await caller.logIn(device, id: id, user: alice).expectOAuthError(.invalidClient, .deviceRevoked, 401)
            let begun = try await caller.beginBinding(device, code: try await caller.code(for: alice))
            try await caller.post(Self.answer(begun, by: device, to: caller), to: .finishBinding)
                .expectProblem(.deviceRevoked, 401)
        }
    }

    @Test("A refresh token needs a proof by its own key, and its reuse ends the family")
    func refreshing() async throws {
        try await withCaller { caller in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            let first = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self).refreshToken
            try await caller.token(.refresh(first), proof: nil)
                .expectOAuthError(.invalidDPoPProof, .dpopProofRefused)
            try await caller.refresh(first, by: TestDevice()).expectOAuthError(.invalidGrant, .refreshTokenRefused)
            let second = try await caller.refresh(first, by: device).message(TokenGrant.self).refreshToken
            let third = try await caller.refresh(second, by: device).message(TokenGrant.self).refreshToken
            try await caller.refresh(first, by: device).expectOAuthError(.invalidGrant, .refreshTokenRefused)
            try await caller.refresh(third, by: device).expectOAuthError(.invalidGrant, .refreshTokenRefused)
        }
    }
}
