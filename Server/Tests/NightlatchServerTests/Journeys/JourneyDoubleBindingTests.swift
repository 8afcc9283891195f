import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("One key offered twice in one step")
struct JourneyDoubleBindingTests {
    private let routes = JourneyRouteTests()

    @Test(
        "A key that a journey binds at once is not bound again by the same journey's postponed binding",
        arguments: StoreKind.allCases)
    func postponed(kind: StoreKind) async throws {
        try await kind.with { store in
            try await withCaller(store) { caller in
                let phone = JourneyPhone(id: "a")
                let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
                let first = try await JourneyRouteTests.begin("bind-twice", at: caller, headers: headers)
                let second = try await JourneyRouteTests.answer(
                    first, [phone.binding(JourneyPhone.challenge(in: first))], at: caller)
                let answer = try phone.binding(JourneyPhone.challenge(in: second))
                let told = try await JourneyRouteTests.answer(second, [answer], at: caller)
                #expect(told.text.contains(#""value":"not stored""#), "\(told.text)")
                let done = try await JourneyRouteTests.answer(told, [.integer(0)], at: caller)
                #expect(done.status == .ok, "\(done.text)")
            }
            #expect(try await store.journeyDevices(of: Fixture.alice()).map(\.id.rawValue) == ["a"])
        }
    }

    @Test(
        "Two keys that one request binds are counted together, and the key beyond the limit is reported",
        arguments: StoreKind.allCases)
    func limit(kind: StoreKind) async throws {
        try await kind.with { store in
            try await withCaller(store) { caller in
                let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
                let first = try await JourneyRouteTests.begin("bind-one", at: caller, headers: headers)
                let second = try await JourneyRouteTests.answer(
                    first, [JourneyPhone(id: "later").binding(JourneyPhone.challenge(in: first))], at: caller)
                let told = try await JourneyRouteTests.answer(
                    second, [JourneyPhone(id: "now").binding(JourneyPhone.challenge(in: second))], at: caller)
                #expect(told.text.contains(#""value":"not stored""#), "\(told.text)")
            }
            #expect(try await store.journeyDevices(of: Fixture.alice()).map(\.id.rawValue) == ["now"])
        }
    }

    private static let limitedFile = #"""
        {"readyMade": ["login"], "applicationIds": ["com.example.app"], "journeys": {
            "at-once": {"start": "bind", "nodes": {
                "bind": {"type": "DeviceBindingNode", "clientErrorOutcomes": [], "maxSavedDevices": 1,
                    "outcomes": {"success": "success", "failure": "failure", "exceedDeviceLimit": "tell"}},
                "tell": {"type": "ChoiceCollectorNode", "prompt": "too many", "choices": ["end", "stop"],
                    "outcomes": {"end": "failure", "stop": "failure"}}}},
            "later": {"start": "bind", "nodes": {
                "bind": {"type": "DeviceBindingNode", "postponeDeviceProfileStorage": true, "clientErrorOutcomes": [],
                    "maxSavedDevices": 1,
                    "outcomes": {"success": "store", "failure": "failure", "exceedDeviceLimit": "tell"}},
                "store": {"type": "DeviceBindingStorageNode", "outcomes": {"true": "success", "false": "failure"}},
                "tell": {"type": "ChoiceCollectorNode", "prompt": "too many", "choices": ["end", "stop"],
                    "outcomes": {"end": "failure", "stop": "failure"}}}}
        }}
        """#

    @Test(
        "A user at the limit of keys can replace a key under its name and gets no other key",
        arguments: ["at-once", "later"])
    func replacement(journey: String) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await routes.withCaller(store, journeys: Self.limitedFile) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            func bind(_ phone: JourneyPhone) async throws -> TestResponse {
                let asked = try await JourneyRouteTests.begin(
                    journey + "&ForceAuth=true", at: caller, headers: headers)
                return try await JourneyRouteTests.answer(
                    asked, [phone.binding(JourneyPhone.challenge(in: asked))], at: caller)
            }
            let (old, new) = (JourneyPhone(id: "tag"), JourneyPhone(id: "tag"))
            for phone in [old, new] { #expect(try await bind(phone).status == .ok) }
            let told = try await bind(JourneyPhone(id: "other"))
            #expect(told.text.contains(#""value":"too many""#), "\(told.text)")
            let bound = try await store.journeyDevices(of: Fixture.alice())
            #expect(try bound.map(\.key) == [new.key.jwk])
        }
    }

    private func withCaller(
        _ store: some RelyingPartyStore,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        try await routes.withCaller(store, body)
    }

    @Test(
        "A step that binds one key twice, or two keys under one name, binds nothing in any store",
        arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, key) = (try Fixture.alice(), TestKey.newEC())
            _ = try await store.newCode(for: alice)
            for (first, second) in [
                (try TestJourneys.device("a", of: alice, key: key), try TestJourneys.device("a", of: alice, key: key)),
                (try TestJourneys.device("a", of: alice, key: key), try TestJourneys.device("b", of: alice, key: key)),
                (try TestJourneys.device("a", of: alice), try TestJourneys.device("a", of: alice)),
            ] {
                let use = TestJourneys.use()
                let bindings = [first, second].map { JourneyBinding(device: $0, limit: nil) }
                let step = JourneyStep(use: use, bindings: bindings, session: TestJourneys.session(of: alice))
                #expect(try await store.recordJourneyStep(step) == .keyTaken)
                #expect(try await store.journeyDevices(of: alice).isEmpty)
                // The failed step has not used up the one-time key.
                #expect(try await store.recordJourneyStep(JourneyStep(use: use)) == .recorded)
            }
        }
    }
}
