import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Scopes of the routes of journeys")
struct JourneyKeyScopeTests {
    private static let devices = "/json/realms/root/users/alice/devices/"

    /// The routes with the scope of each, in an order in which each one finds the key.
    private static let routes: [(method: HTTPRequest.Method, path: String, scope: APIScope)] = [
        (.get, devices + "2fa/binding", .journeyKeysRead), (.put, devices + "2fa/binding/a", .journeyKeysWrite),
        (.delete, devices + "2fa/binding/a", .journeyKeysRemove), (.get, devices + "2fa/oath", .journeyKeysRead),
        (.put, devices + "2fa/oath/a", .journeyKeysWrite), (.delete, devices + "2fa/oath/a", .journeyKeysRemove),
    ]

    @Test("Exactly the scope of a route opens it, and the log names the key as a backend", arguments: APIScope.allCases)
    func matrix(scope: APIScope) async throws {
        #expect(JourneyDevices.unservedKinds.contains("2fa/oath"))
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        _ = try await store.recordJourneyStep(
            TestJourneys.binding(TestJourneys.device("a", of: alice, name: DeviceName(rawValue: "Old"))))
        let token = try await TestAPIKey.created("shop", scopes: [scope], in: store)
        try await JourneyRouteTests().withCaller(store) { caller in
            let headers = ["Authorization": "Bearer " + token.rawValue, "Content-Type": "application/json"]
            for route in Self.routes {
                let body = route.method == .put ? #"{"deviceName":"New"}"# : nil
                let answer = try await caller.call(route.method, route.path, headers: headers, body: body)
                let name = "\(route.method) \(route.path) with \(scope): \(answer.text)"
                if route.scope == scope {
                    let isServed = route.method == .get || route.path.contains("binding")
                    #expect(answer.status == (isServed ? .ok : .notFound), "\(name)")
                } else {
                    #expect(answer.status == .forbidden, "\(name)")
                }
            }
        }
        let keys = try await store.journeyDevices(of: alice)
        #expect(keys.isEmpty == (scope == .journeyKeysRemove))
        #expect(keys.allSatisfy { $0.name.rawValue == (scope == .journeyKeysWrite ? "New" : "Old") })
        let acted = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event)
            .filter { [.journeyDeviceRenamed, .journeyDeviceRemoved].contains($0.kind) }
        #expect(acted.count == ([.journeyKeysWrite, .journeyKeysRemove].contains(scope) ? 1 : 0))
        #expect(acted.allSatisfy { $0.actor.kind == .backend && $0.actor.key == token.keyID })
    }

    @Test("The scopes of a backend's journey keys do not lift an operator's block or revoke a device")
    func block() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        let device = try await store.bind(TestDevice(), to: alice)
        _ = try await store.change(device, of: alice, by: .operator, .block)
        let token = try await TestAPIKey.created("shop", scopes: APIScope.ofBackendKey, in: store)
        try await JourneyRouteTests().withCaller(store) { caller in
            for route in [Route.administerDeviceUnblock, .administerDeviceRevocation] {
                let answer = try await caller.call(
                    .post, route.path(device: device),
                    headers: ["Authorization": "Bearer " + token.rawValue, "Content-Type": "application/json"],
                    body: #"{"user":"alice","reason":"x"}"#)
                try answer.expectProblem(.apiKeyScopeMissing, 403)
            }
        }
        let found = try await store.device(device, of: alice)
        #expect(found?.block?.actor == .operator && found?.revokedAt == nil)
    }
}
