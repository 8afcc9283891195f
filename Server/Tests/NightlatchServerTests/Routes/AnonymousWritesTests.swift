import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Writes by callers without credentials")
struct AnonymousWritesTests {
    /// Returns bodies that an attacker with knowledge of the protocol and of a user name may send.
    private static func bodies() throws -> [(type: String, text: String)] {
        let key = try TestDevice().key.id
        return [
            ("application/json", "{}"),
            ("application/json", #"{"user":"alice","password":"a wrong one"}"#),
            ("application/json", #"{"user":"nobody","password":"a wrong one"}"#),
            ("application/json", #"{"user":"alice"}"#),
            ("application/json", #"{"enrolment_code":"0000-0000-0000-0000","device_key":"\#(key)"}"#),
            ("application/json", #"{"handle":"AAAA","message":"eyJ.e30.AAAA"}"#),
            ("application/x-www-form-urlencoded", "grant_type=refresh_token&refresh_token=AAAA"),
            ("application/x-www-form-urlencoded", "token=AAAA"),
            ("application/x-www-form-urlencoded", "admin_key=AAAA&form_token=AAAA&user=alice"),
        ]
    }

    /// Runs a relying party on which alice has a password and a device, and passes the device's id.
    private func withCaller(
        _ kind: WatchedStore.Kind,
        _ body: @escaping @Sendable (TestCaller, DeviceID) async throws -> Void
    ) async throws {
        try await WatchedStore.with(kind) { watched in
            let configuration = try Self.configuration()
            try await TestRelyingParty.with(watched.store, adminKey: .random(), configuration: configuration) {
                caller in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let id = try await caller.bind(device, to: alice)
                let grant = try await caller.logIn(device, id: id, user: alice)
                #expect(grant.status == .ok)
                _ = try await JourneyRouteTests.logIn(at: caller)

                let before = try await watched.rows()
                try await body(caller, id)
                let after = try await watched.rows()
                #expect(after.keys == before.keys && after.count > 10)
                for (table, rows) in after where table != "password" { #expect(rows == before[table], "\(table)") }
                #expect(after["password"]?.count == 1 && after["password"] != before["password"])
            }
        }
    }

    @Test(
        "Callers without credentials cause no write, except the row that slows down guessing a user's password",
        arguments: WatchedStore.Kind.allCases)
    func nothing(kind: WatchedStore.Kind) async throws {
        let bodies = try Self.bodies()
        try await withCaller(kind) { caller, id in
            let described = OpenAPIOperations.all.map { "\($0.route.method.rawValue) \($0.route.path)" }
            for route in OpenAPIDocumentTests.others.union(described).subtracting(["GET \(Route.readiness.path)"]) {
                let parts = route.split(separator: " ")
                for body in bodies {
                    let answer = try await caller.call(
                        try #require(HTTPRequest.Method(String(parts[0]))), String(parts[1]),
                        headers: ["Content-Type": body.type, "iPlanetDirectoryPro": "AAAA"], body: body.text)
                    #expect(answer.status != .internalServerError, "\(route)")
                }
            }
            // With a well-formed message and proof, by unknown keys.
            let (alice, stranger) = (try Fixture.alice(), TestDevice())
            let begun = try await caller.beginLogin(user: alice, device: id)
            let message = try stranger.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer)
            let refused = try await caller.token(
                .login(assertion: message.text(), handle: begun.handle), proof: caller.proof(by: stranger))
            #expect(refused.status == .badRequest)
        }
    }

    @Test(
        """
        Callers without credentials cause no other write in journeys, whatever they are asked and however often they \
        answer
        """,
        arguments: WatchedStore.Kind.allCases)
    func journeys(kind: WatchedStore.Kind) async throws {
        try await withCaller(kind) { caller, _ in
            func answer(_ journey: String, _ values: [JSONValue]) async throws -> HTTPResponse.Status {
                let asked = try await JourneyRouteTests.begin(journey, at: caller)
                let statuses = try await inParallel(3) {
                    try await JourneyRouteTests.answer(asked, values, at: caller).status
                }
                #expect(Set(statuses).count == 1, "\(journey)")
                return statuses[0]
            }
            #expect(try await answer("choose", [.integer(0)]) == .ok)
            #expect(try await answer("choose", [.integer(1)]) == .unauthorized)
            for user in ["alice", "nobody"] {
                for journey in ["login", "bind"] {
                    let status = try await answer(journey, [.string(user), .string("a wrong one")])
                    #expect(status == .unauthorized)
                }
            }
            let asked = try await JourneyRouteTests.begin("usernameless-sign", at: caller)
            let message = try JourneyPhone(id: "a").message(JourneyPhone.challenge(in: asked))
            #expect(try await JourneyRouteTests.answer(asked, [.string(message)], at: caller).status == .unauthorized)
        }
    }

    private static func configuration() throws -> RelyingPartyConfiguration {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.perAddress = nil
        configuration.limits.perAccount = nil
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        let file = #"""
            {"readyMade": ["login", "bind", "usernameless-sign"], "applicationIds": ["com.example.app"],
            "journeys": {"choose": {"start": "which", "nodes": {
                "which": {"type": "ChoiceCollectorNode", "choices": ["again", "end"],
                    "outcomes": {"again": "which", "end": "success"}}}}}}
            """#
        configuration.journeys = try JourneyConfiguration(Data(file.utf8))
        return configuration
    }
}
