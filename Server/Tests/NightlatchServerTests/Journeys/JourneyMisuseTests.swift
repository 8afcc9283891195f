import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Misused journeys over HTTP")
struct JourneyMisuseTests {
    private let routes = JourneyRouteTests()

    /// Begins `pay` with `text` and answers with `message`.
    private static func pay(
        _ text: String,
        _ message: String,
        at caller: TestCaller,
        headers: [String: String]
    ) async throws -> TestResponse {
        let asked = try await JourneyRouteTests.answer(
            JourneyRouteTests.begin("pay", at: caller, headers: headers), [.string(text)], at: caller)
        guard asked.status == .ok else { return asked }
        return try await JourneyRouteTests.answer(asked, [.string(message)], at: caller)
    }

    /// Returns the headers of a client that has logged in with its password.
    private static func session(at caller: TestCaller) async throws -> [String: String] {
        ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
    }

    /// Returns the headers of a client whose journey has ended with `done`.
    private static func token(in done: TestResponse) throws -> [String: String] {
        let json = try StrictJSON.decode(JSONValue.self, from: Data(done.text.utf8))
        return ["iPlanetDirectoryPro": try #require(json["tokenId"]?.string, "\(done.text)")]
    }

    private func bind(_ phone: JourneyPhone, in store: MemoryStore) async throws {
        let device = try TestJourneys.device(phone.id, of: try Fixture.alice(), key: phone.key)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
    }

    @Test("A text may be signed again, but a message may not be sent again, whether it was refused or not")
    func replay() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let headers = try await Self.session(at: caller)
            let first = try phone.message("Pay 100 EUR")
            #expect(try await Self.pay("Pay 100 EUR", first, at: caller, headers: headers).status == .ok)
            #expect(try await Self.pay("Pay 100 EUR", first, at: caller, headers: headers).status == .unauthorized)
            // Another signature of the same message does not make it another message.
            let signed = first.split(separator: ".").prefix(2).joined(separator: ".")
            let resigned = signed + "." + Base64URL.encode(try phone.key.sign(Data(signed.utf8), algorithm: "ES256"))
            #expect(resigned != first)
            #expect(try await Self.pay("Pay 100 EUR", resigned, at: caller, headers: headers).status == .unauthorized)
            // The message was refused at its first use.
            let second = try phone.message("Pay 200 EUR")
            #expect(try await Self.pay("Pay 300 EUR", second, at: caller, headers: headers).status == .unauthorized)
            #expect(try await Self.pay("Pay 200 EUR", second, at: caller, headers: headers).status == .unauthorized)
            try await TestTime.after(.seconds(1)) {
                let anew = try phone.message("Pay 100 EUR")
                #expect(try await Self.pay("Pay 100 EUR", anew, at: caller, headers: headers).status == .ok)
            }
        }
    }

    @Test("A challenge of the server cannot be typed as a text, so a signature for one question is refused for another")
    func typedChallenge() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let headers = try await Self.session(at: caller)
            let asked = try await JourneyRouteTests.begin("usernameless-sign", at: caller)
            let challenge = try JourneyPhone.challenge(in: asked)
            let typed = try await Self.pay(challenge, phone.message(challenge), at: caller, headers: headers)
            #expect(typed.status == .unauthorized)
            let signed = try await JourneyRouteTests.answer(asked, [.string(phone.message(challenge))], at: caller)
            #expect(signed.status == .ok)
        }
    }

    @Test(
        "A journey with a signed text runs again for a client with its session, unless the file says otherwise",
        arguments: [("pay", true), ("pay-once", false)])
    func alwaysWalked(journey: String, isWalked: Bool) async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let asked = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin(journey, at: caller, headers: Self.session(at: caller)),
                [.string("Pay 100 EUR")], at: caller)
            let done = try await JourneyRouteTests.answer(asked, [.string(phone.message("Pay 100 EUR"))], at: caller)
            let again = try await JourneyRouteTests.begin(journey, at: caller, headers: Self.token(in: done))
            #expect(again.text.contains("callbacks") == isWalked, "\(again.text)")
        }
    }

    @Test(
        """
        A message that a key signed in a journey is refused as a login, even if the key also belongs to a device of \
        our protocol
        """)
    func otherLogin() async throws {
        let (store, device) = (MemoryStore(clock: TestTime.clock), TestDevice())
        try await routes.withCaller(store) { caller in
            let alice = try Fixture.alice()
            let id = try await caller.bind(device, to: alice)
            let phone = JourneyPhone(id: try device.key.id.rawValue, key: device.key)
            try await bind(phone, in: store)
            let begun = try await caller.beginLogin(user: alice, device: id)
            for binds in [false, true] {
                let message = try phone.message(begun.challenge.rawValue, binds: binds)
                try await caller.token(
                    .login(assertion: message, handle: begun.handle), proof: caller.proof(by: device)
                ).expectOAuthError(.invalidGrant, .messageRefused)
            }
            #expect(try await caller.logIn(device, id: id, user: alice).status == .ok)
        }
    }

    @Test("Refusals of journeys are counted for the audit log: wrong passwords, forged answers, wrong signatures")
    func counted() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store, setup: .live) { caller in
            let headers = try await Self.session(at: caller)
            for _ in 0..<3 {
                let asked = try await JourneyRouteTests.begin("login", at: caller)
                let wrong = try await JourneyRouteTests.answer(
                    asked, [.string("alice"), .string("wrong")], at: caller)
                #expect(wrong.status == .unauthorized)
            }
            let forged = try await caller.call(
                .post, JourneyRouteTests.base, headers: ["Content-Type": "application/json"],
                body: #"{"authId":"forged","callbacks":[]}"#)
            #expect(forged.status == .unauthorized)
            for text in ["one", "two"] {
                let refused = try await Self.pay(
                    text, JourneyPhone(id: "a").message(text), at: caller, headers: headers)
                #expect(refused.status == .unauthorized)
            }
        }
        let events = try await store.auditEntries(of: nil, before: nil, limit: 50).map(\.event)
        var counts: [ProblemCode: Int] = [:]
        for event in events where event.kind == .requestsRefused {
            counts[try #require(event.problem), default: 0] += try #require(event.count)
        }
        #expect(counts == [.credentialsRefused: 3, .challengeRefused: 1, .messageRefused: 2])
    }

    @Test("A user has at most a hundred keys, even if a journey sets no limit")
    func cap() async throws {
        let store = MemoryStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        for number in 1...99 {
            let device = try TestJourneys.device("key-\(number)", of: alice)
            #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
        }
        try await routes.withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            var waiting: [TestResponse] = []
            for _ in 0..<2 {
                waiting.append(try await JourneyRouteTests.begin("bind-now", at: caller, headers: headers))
            }
            var statuses: [HTTPResponse.Status] = []
            for (number, asked) in waiting.enumerated() {
                let answer = try JourneyPhone(id: "more-\(number)").binding(JourneyPhone.challenge(in: asked))
                statuses.append(try await JourneyRouteTests.answer(asked, [answer], at: caller).status)
            }
            #expect(statuses == [.ok, .unauthorized])
        }
        #expect(try await store.journeyDevices(of: alice).count == 100)
    }

    @Test("A journey that began with a session binds nothing once the session has ended")
    func endedSession() async throws {
        let store = MemoryStore(clock: TestTime.clock)
        try await routes.withCaller(store) { caller in
            let token = try await JourneyRouteTests.logIn(at: caller)
            let headers = ["iPlanetDirectoryPro": token]
            let (kept, late) = (
                try await JourneyRouteTests.begin("bind-now", at: caller, headers: headers),
                try await JourneyRouteTests.begin("bind-now", at: caller, headers: headers)
            )
            let bound = try await JourneyRouteTests.answer(
                kept, [JourneyPhone(id: "a").binding(JourneyPhone.challenge(in: kept))], at: caller)
            #expect(bound.status == .ok, "\(bound.text)")
            let ended = try await caller.call(
                .post, "/json/realms/root/sessions?_action=logout", headers: headers)
            #expect(ended.status == .ok)
            let refused = try await JourneyRouteTests.answer(
                late, [JourneyPhone(id: "b").binding(JourneyPhone.challenge(in: late))], at: caller)
            #expect(refused.status == .unauthorized)
        }
        #expect(try await store.journeyDevices(of: Fixture.alice()).map(\.id.rawValue) == ["a"])
    }

    @Test("A journey signed in with a key binds nothing once that key was removed")
    func removedKey() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        let alice = try Fixture.alice()
        try await routes.withCaller(store) { caller in
            var waiting: [TestResponse] = []
            for _ in 0..<2 {
                let asked = try await JourneyRouteTests.begin("sign-bind", at: caller)
                waiting.append(
                    try await JourneyRouteTests.answer(
                        asked, [.string(phone.message(JourneyPhone.challenge(in: asked)))], at: caller))
            }
            let bound = try await JourneyRouteTests.answer(
                waiting[0], [JourneyPhone(id: "b").binding(JourneyPhone.challenge(in: waiting[0]))], at: caller)
            #expect(bound.status == .ok, "\(bound.text)")
            let id = try #require(JourneyKeyID(rawValue: "a"))
            _ = try await store.removeJourneyDevice(id, of: alice, by: .backend, keeping: nil)
            let refused = try await JourneyRouteTests.answer(
                waiting[1], [JourneyPhone(id: "c").binding(JourneyPhone.challenge(in: waiting[1]))], at: caller)
            #expect(refused.status == .unauthorized)
        }
        #expect(try await store.journeyDevices(of: alice).map(\.id.rawValue) == ["b"])
    }
}
