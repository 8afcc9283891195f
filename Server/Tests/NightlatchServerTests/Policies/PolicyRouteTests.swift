import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Policies over HTTP")
struct PolicyRouteTests {
    @Test("The backend sets, reads and removes the policy of an app and of a user")
    func story() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        _ = try await store.newCode(for: alice)
        try await TestRelyingParty.with(store) { caller in
            let paths = [
                (
                    Route.appPolicy.path(client: .default), Route.setAppPolicy.path(client: .default), "app",
                    "nightlatch"
                ),
                (Route.userPolicy.path(user: alice), Route.setUserPolicy.path, "user", "alice"),
            ]
            for (path, set, kind, id) in paths {
                func body(_ policy: String) -> String {
                    kind == "app" ? policy : #"{"user":"alice","policy":\#(policy)}"#
                }
                let unset = try await caller.call(.get, path, headers: caller.backendHeaders)
                #expect(unset.status == .ok && unset.text.contains(#""policy":{},"revision":0"#), "\(unset.text)")
                let json = #"{"hardware":"required","pin_lengths":{"least":8,"most":8}}"#
                let first = try await caller.setPolicy(body(json), at: set)
                #expect(first.text.contains(#""\#(kind)":"\#(id)""#), "\(first.text)")
                #expect(first.text.contains(#""policy":\#(json)"#), "\(first.text)")
                #expect(first.text.contains(#""changed_by":"backend""#))
                #expect(try await caller.setPolicy(body(json), at: set).text == first.text)
                #expect(try await caller.call(.get, path, headers: caller.backendHeaders).text == first.text)
                #expect(try await caller.setPolicy(body("{}"), at: set).text.contains(#""policy":{}"#))
            }
        }
        let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
        #expect(events.filter { $0.kind == .policyChanged || $0.kind == .policyRemoved }.count == 4)
    }

    @Test("Only the backend may, a user must exist, and a malformed policy says why it is refused")
    func refused() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store) { caller in
            let app = Route.setAppPolicy.path(client: .default)
            try await caller.setPolicy(#"{"user":"bob","policy":{}}"#, at: Route.setUserPolicy.path)
                .expectProblem(.notFound, 404)
            for (body, detail) in [
                (#"{"pin_history":5}"#, "pin_history is not known."),
                (#"{"pin_lengths":{"least":8,"most":6}}"#, "pin_lengths must be least and most"),
                (#"{"authenticators":["biometrics"]}"#, "authenticators must contain pin."),
            ] {
                let answer = try await caller.setPolicy(body, at: app)
                try answer.expectProblem(.malformedRequest, 400)
                #expect(answer.text.contains(detail), "\(answer.text)")
            }
            for path in [Route.appPolicy.path(client: .default), Route.userPolicy.path(user: try Fixture.alice())] {
                try await caller.call(.get, path).expectProblem(.backendKeyRefused, 401)
            }
            _ = try await store.newCode(for: try Fixture.alice())
            let user = #"{"user":"alice","policy":{"hardware":"required"}}"#
            for (path, body) in [(app, #"{"hardware":"required"}"#), (Route.setUserPolicy.path, user)] {
                try await caller.call(.post, path, headers: ["Content-Type": "application/json"], body: body)
                    .expectProblem(.backendKeyRefused, 401)
            }
        }
        #expect(try await store.policies(of: .default, and: try Fixture.alice()).isEmpty)
    }
}

extension TestCaller {
    fileprivate func setPolicy(_ body: String, at path: String) async throws -> TestResponse {
        let headers = backendHeaders.merging(["Content-Type": "application/json"]) { $1 }
        return try await call(.post, path, headers: headers, body: body)
    }
}
