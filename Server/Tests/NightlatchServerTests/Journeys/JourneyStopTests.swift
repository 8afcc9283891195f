import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Stopped journeys and repeated answers over HTTP")
struct JourneyStopTests {
    private static let file = #"""
        {"readyMade": ["login", "bind", "usernameless-sign"], "applicationIds": ["com.example.app"]}
        """#

    private func withCaller(
        _ store: MemoryRelyingPartyStore,
        masterKey: MasterKey = .random(),
        waitingLimit: Int = 64,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.passwordHashing = PasswordHashing(
            unchecked: 8, passes: 1, lanes: 1, answerTime: .zero, waitingLimit: waitingLimit)
        configuration.journeys = try JourneyConfiguration(Data(Self.file.utf8))
        try await TestRelyingParty.with(store, masterKey: masterKey, configuration: configuration, body)
    }

    private static func logIn(
        _ asked: TestResponse,
        _ password: String = "correct horse",
        at caller: TestCaller
    ) async throws -> TestResponse {
        try await JourneyRouteTests.answer(asked, [.string("alice"), .string(password)], at: caller)
    }

    private static func begin(_ journey: String, at caller: TestCaller) async throws -> TestResponse {
        try await JourneyRouteTests.begin(journey, at: caller)
    }

    @Test(
        "A right password binds no key once it was changed, all sessions were ended, or a key was removed",
        arguments: JourneyGroundConformance.Stop.allCases)
    func stopped(stop: JourneyGroundConformance.Stop) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(store) { caller in
            _ = try await JourneyRouteTests.logIn(at: caller)
            var waiting: [TestResponse] = []
            for _ in 0..<2 { waiting.append(try await Self.logIn(Self.begin("bind", at: caller), at: caller)) }
            func bind(_ id: String, _ asked: TestResponse) async throws -> HTTPResponse.Status {
                let answer = try JourneyPhone(id: id).binding(JourneyPhone.challenge(in: asked))
                return try await JourneyRouteTests.answer(asked, [answer], at: caller).status
            }
            #expect(try await bind("kept", waiting[0]) == .ok)
            try await stop.happen(to: Fixture.alice(), in: store)
            #expect(try await bind("thief", waiting[1]) == .unauthorized)
            let bound = try await store.journeyDevices(of: Fixture.alice()).map(\.id.rawValue)
            #expect(bound.contains("kept") && !bound.contains("thief"))
        }
    }

    /// Begins a journey with the session of `token` that asks for a password.
    private static func beginKnown(_ token: String, at caller: TestCaller) async throws -> TestResponse {
        try await JourneyRouteTests.begin("bind", at: caller, headers: ["iPlanetDirectoryPro": token])
    }

    @Test(
        """
        A question tries one password of a known client, however often it is answered, and none once the session has \
        ended
        """)
    func onePassword() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(store) { caller in
            let token = try await JourneyRouteTests.logIn(at: caller)
            let asked = try await Self.beginKnown(token, at: caller)
            let ended = try await Self.beginKnown(token, at: caller)
            // Five wrong ones would lock the user's account for a while.
            for _ in 0..<10 {
                #expect(try await Self.logIn(asked, "a guess", at: caller).status == .unauthorized)
            }
            #expect(try await Self.logIn(asked, at: caller).status == .unauthorized)
            _ = try await store.endJourneySessions(of: Fixture.alice(), by: .operator)
            for _ in 0..<10 {
                #expect(try await Self.logIn(ended, "a guess", at: caller).status == .unauthorized)
            }
            #expect(try await Self.logIn(ended, at: caller).status == .unauthorized)
            #expect(try await Self.logIn(Self.begin("login", at: caller), at: caller).status == .ok)
        }
    }

    @Test("Of many answers of a known client to one question at once, one tries its password")
    func onePasswordAtOnce() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(store) { caller in
            let asked = try await Self.beginKnown(JourneyRouteTests.logIn(at: caller), at: caller)
            let statuses = try await inParallel(20) { try await Self.logIn(asked, "a guess", at: caller).status }
            #expect(statuses.allSatisfy { $0 == .unauthorized })
            #expect(try await Self.logIn(Self.begin("login", at: caller), at: caller).status == .ok)
        }
    }

    @Test("Every password of an unknown client is charged as an attempt, however few questions it was asked")
    func guesses() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(store) { caller in
            _ = try await JourneyRouteTests.logIn(at: caller)
            let asked = try await Self.begin("login", at: caller)
            let statuses = try await inParallel(20) { try await Self.logIn(asked, "a guess", at: caller).status }
            #expect(statuses.allSatisfy { $0 == .unauthorized })
            for question in [asked, try await Self.begin("login", at: caller)] {
                #expect(try await Self.logIn(question, at: caller).status == .unauthorized)
            }
        }
    }

    @Test("A question answered by a signature is used up, even if the message was refused for its times")
    func tooLongLife() async throws {
        let (store, phone) = (MemoryRelyingPartyStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        let device = try TestJourneys.device("a", of: Fixture.alice(), key: phone.key)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
        try await withCaller(store) { caller in
            let asked = try await Self.begin("usernameless-sign", at: caller)
            let challenge = try JourneyPhone.challenge(in: asked)
            // A clock that is ahead by more than the longest life of a message.
            let early = try phone.message(challenge, life: .seconds(200))
            #expect(try await JourneyRouteTests.answer(asked, [.string(early)], at: caller).status == .unauthorized)
            try await TestTime.after(.seconds(100)) {
                let status = try await JourneyRouteTests.answer(asked, [.string(early)], at: caller).status
                #expect(status == .unauthorized)
            }
            let again = try await Self.begin("usernameless-sign", at: caller)
            let right = try phone.message(JourneyPhone.challenge(in: again))
            #expect(try await JourneyRouteTests.answer(again, [.string(right)], at: caller).status == .ok)
        }
    }

    @Test("Of many right answers of an unknown client to one question, one begins a session")
    func oneSession() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(store) { caller in
            _ = try await JourneyRouteTests.logIn(at: caller)
            let asked = try await Self.begin("login", at: caller)
            let statuses = try await inParallel(20) { try await Self.logIn(asked, at: caller).status }
            #expect(statuses.count { $0 == .ok } == 1)
            #expect(statuses.count { $0 == .unauthorized } == 19)
        }
    }

    @Test(
        """
        A password that could not be tried for lack of room charges no attempt, and its question can be answered again
        """)
    func noRoom() async throws {
        let (store, masterKey) = (MemoryRelyingPartyStore(clock: TestTime.clock), MasterKey.random())
        try await withCaller(store, masterKey: masterKey) { caller in
            _ = try await JourneyRouteTests.logIn(at: caller)
            let question = try await Self.begin("login", at: caller)
            // With a limit of 0 no password can be tried.
            try await withCaller(store, masterKey: masterKey, waitingLimit: 0) { full in
                // Five wrong ones would lock the user's account for a while.
                for _ in 0..<10 {
                    let answer = try await Self.logIn(question, "a guess", at: full)
                    #expect(answer.status == .serviceUnavailable)
                }
            }
            let answers = [
                try await Self.logIn(question, at: caller).status, try await Self.logIn(question, at: caller).status,
            ]
            #expect(answers == [.ok, .unauthorized])
        }
    }
}
