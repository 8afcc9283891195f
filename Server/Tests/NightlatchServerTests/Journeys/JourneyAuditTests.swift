import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Journeys in the audit log")
struct JourneyAuditTests {
    private let routes = JourneyRouteTests()

    /// Returns the entries of journeys and refusals in the log, oldest first.
    private func events(in store: MemoryRelyingPartyStore) async throws -> [AuditEvent] {
        try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event).reversed()
            .filter { $0.kind != .signingKeyAdded }
    }

    @Test("The log records a key's binding, signatures and removal, and each session, with the key's name")
    func done() async throws {
        let (store, phone) = (MemoryRelyingPartyStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await routes.withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            let binding = try await JourneyRouteTests.begin("bind-now", at: caller, headers: headers)
            let bound = try await JourneyRouteTests.answer(
                binding, [phone.binding(JourneyPhone.challenge(in: binding))], at: caller)
            #expect(bound.status == .ok, "\(bound.text)")
            let signing = try await JourneyRouteTests.begin("usernameless-sign", at: caller)
            let message = try phone.message(
                JourneyPhone.challenge(in: signing), more: [.init("amount", .string("100.00"))])
            let signed = try await JourneyRouteTests.answer(signing, [.string(message)], at: caller)
            #expect(signed.status == .ok, "\(signed.text)")
            let removed = try await caller.call(
                .delete, "/json/realms/root/users/alice/devices/2fa/binding/a", headers: headers)
            #expect(removed.status == .ok, "\(removed.text)")
            let events = try await events(in: store)
            #expect(
                events.map(\.kind) == [
                    .passwordSet, .journeyLoggedIn, .journeyDeviceBound, .journeyLoggedIn, .journeySigned,
                    .journeyLoggedIn, .journeyDeviceRemoved,
                ])
            let alice = try Fixture.alice()
            #expect(events.allSatisfy { $0.user == alice })
            #expect(events.map { $0.journeyKey?.rawValue } == [nil, nil, "a", nil, "a", "a", "a"])
            #expect(events.map(\.claims) == [nil, nil, nil, nil, #"{"amount":"100.00"}"#, nil, nil])
            // The log does not contain the message, with which an attacker could impersonate the user for a minute.
            let log = String(decoding: StrictJSON.encode(events), as: UTF8.self)
            #expect(!log.contains(message.suffix(86)) && !log.contains(message.prefix(40)))
        }
    }

    @Test("Refusals of journeys are counted by cause, and a refused answer binds no key and logs in no user")
    func refused() async throws {
        let (store, phone) = (MemoryRelyingPartyStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        let device = try TestJourneys.device("a", of: Fixture.alice(), key: phone.key)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
        // A service of the server writes the counts, and it runs only over a socket.
        try await routes.withCaller(store, setup: .live) { caller in
            for _ in 0..<3 {
                let wrong = try await JourneyRouteTests.answer(
                    JourneyRouteTests.begin("login", at: caller), [.string("alice"), .string("a guess")], at: caller)
                #expect(wrong.status == .unauthorized)
            }
            // A message of another key, one of a key that is not bound, and one that is malformed.
            for stranger in [JourneyPhone(id: "a"), JourneyPhone(id: "b"), nil] {
                let asked = try await JourneyRouteTests.begin("usernameless-sign", at: caller)
                let message = try stranger?.message(JourneyPhone.challenge(in: asked)) ?? "e30.e30.e30"
                let answer = try await JourneyRouteTests.answer(asked, [.string(message)], at: caller)
                #expect(answer.status == .unauthorized)
            }
            let asked = try await JourneyRouteTests.begin("usernameless-sign", at: caller)
            let message = try phone.message(JourneyPhone.challenge(in: asked))
            for status in [HTTPResponse.Status.ok, .unauthorized] {
                let answer = try await JourneyRouteTests.answer(asked, [.string(message)], at: caller)
                #expect(answer.status == status)
            }
            let forged = try await caller.call(
                .post, JourneyRouteTests.base, headers: ["Content-Type": "application/json"],
                body: #"{"authId":"eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.e30.AAAA","callbacks":[]}"#)
            #expect(forged.status == .unauthorized)
        }
        let events = try await events(in: store)
        // On a busy machine this may take more than a minute, so there may be more than one entry.
        var counts: [ProblemCode: Int] = [:]
        for event in events where event.kind == .requestsRefused {
            counts[try #require(event.problem), default: 0] += try #require(event.count)
        }
        #expect(
            counts == [.credentialsRefused: 3, .messageRefused: 3, .challengeUsed: 1, .challengeRefused: 1])
        #expect(
            events.filter { $0.kind != .requestsRefused }.map(\.kind)
                == [.journeyDeviceBound, .journeySigned, .journeyLoggedIn])
    }
}
