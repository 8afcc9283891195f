import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The time of a refused signature", .timeLimit(.minutes(5)))
struct RefusalPaceTests {
    @Test("A refusal is answered a whole number of steps after the request was received")
    func rest() {
        let pace = RefusalPace(step: .milliseconds(10))
        for (time, rest) in [
            (0, 0), (1, 9_999), (75, 9_925), (9_999, 1), (10_000, 0), (10_001, 9_999), (25_000, 5_000),
        ] {
            let rested = pace.rest(after: .microseconds(time))
            // Compared to a microsecond, because the quotient is rounded.
            #expect(abs((rested - .microseconds(rest)) / .microseconds(1)) < 1, "\(time)")
        }
        #expect(RefusalPace(step: .zero).rest(after: .seconds(1)) == .zero)
    }

    @Test("No wrong signature is refused before the step, whether the user, device or PIN exists or not")
    func routes() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.journeys = try JourneyConfiguration(Data(#"{"applicationIds": ["com.example.app"]}"#.utf8))
        configuration.refusalStep = .milliseconds(300)
        let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
        let journeyDevice = try TestJourneys.device("key", of: alice)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(journeyDevice)) == .recorded)
        try await TestRelyingParty.with(store, configuration: configuration) { caller in
            let (device, stranger) = (TestDevice(), TestDevice())
            let id = try await caller.bind(device, to: alice)
            for (user, known) in [(alice, id), (alice, nil), (bob, nil), (bob, DeviceID.random())] {
                let begun = try await caller.beginLogin(user: user, device: known)
                let assertion = try stranger.loginDraft(user: user, challenge: begun.challenge, to: caller.issuer)
                    .text()
                try await requireStep {
                    try await caller.token(
                        .login(assertion: assertion, handle: begun.handle), proof: caller.proof(by: stranger)
                    ).expectOAuthError(.invalidGrant, .messageRefused)
                }
            }
            for known in [id, .random()] {
                let pin = TestPin(device: stranger, id: known, user: alice, issuer: caller.issuer)
                let request = try pin.request(PinInquiry(), by: stranger.possession)
                try await requireStep {
                    try await caller.post(request, to: .pinStanding).expectProblem(.messageRefused, 403)
                }
            }
            for name in ["alice", "bob"] {
                let named = try await JourneyRouteTests.begin("sign", at: caller)
                let asked = try await JourneyRouteTests.answer(named, [.string(name)], at: caller)
                let phone = JourneyPhone(id: "key", subject: "id=\(name),ou=user,o=root,ou=services,ou=am-config")
                let signature = JSONValue.array([
                    .string(try phone.message(JourneyPhone.challenge(in: asked))), .string(""),
                ])
                try await requireStep {
                    let answer = try await JourneyRouteTests.answer(asked, [signature], at: caller)
                    #expect(answer.status == .unauthorized, "\(answer.text)")
                }
            }
        }
    }

    private func requireStep(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }
}
