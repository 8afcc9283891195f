import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Profiles over HTTP")
struct ProfileRouteTests {
    private static let members = #""email":"a@example.com","email_verified":true,"given_name":"Zoë""#

    @Test("The backend sets, replaces, reads and removes a user's profile", arguments: StoreKind.allCases)
    func story(kind: StoreKind) async throws {
        try await kind.with { store in
            // The name needs escapes in a query.
            let user = try #require(UserID(rawValue: "CORP\\o'brien & co"))
            let name = #""user":"CORP\\o'brien & co""#
            _ = try await store.newCode(for: user)
            try await TestRelyingParty.with(store) { caller in
                func report(_ members: String, _ revision: Int) -> String {
                    "{\(members)\"revision\":\(revision),\"updated_at\":\(TestTime.current.secondsSince1970),\(name)}"
                }
                try await caller.profile(of: user).expectProblem(.notFound, 404)
                for _ in 0..<2 {
                    let set = try await caller.setProfile("{\(name),\(Self.members)}")
                    #expect(set.status == .ok && set.text == report(Self.members + ",", 1), "\(set.text)")
                }
                #expect(try await caller.profile(of: user).text == report(Self.members + ",", 1))
                #expect(try await caller.setProfile("{\(name)}").text == report("", 2))
                #expect(try await store.profile(of: user)?.profile == UserProfile())
                for _ in 0..<2 { #expect(try await caller.removeProfile("{\(name)}").text == "{\(name)}") }
                try await caller.profile(of: user).expectProblem(.notFound, 404)
                let events = try await store.auditEntries(of: user, before: nil, limit: 9).map(\.event)
                #expect(events.count == 4 && events.allSatisfy { $0.actor == .backend })
            }
        }
    }

    @Test("A user who does not exist gets no profile, and a malformed message says why it is refused")
    func refused() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        _ = try await store.newCode(for: Fixture.alice())
        try await TestRelyingParty.with(store) { caller in
            try await caller.setProfile(#"{"user":"bob"}"#).expectProblem(.notFound, 404)
            #expect(try await caller.removeProfile(#"{"user":"bob"}"#).status == .ok)
            for (body, detail) in [
                (#"{"email":"a@example.com"}"#, "user is missing."),
                (#"{"user":"alice","email":"a"}"#, "email must be a string: an email address in ASCII"),
                (#"{"user":"alice","email_verified":true}"#, "email_verified must not be true without"),
            ] {
                let answer = try await caller.setProfile(body)
                try answer.expectProblem(.malformedRequest, 400)
                #expect(answer.text.contains(detail), "\(answer.text)")
            }
            let noUser = try await caller.call(.get, Route.profile.path, headers: caller.backendHeaders)
            try noUser.expectProblem(.malformedRequest, 400)
        }
        #expect(try await store.profile(of: Fixture.alice()) == nil)
    }

    @Test("No route works without the backend key")
    func credentials() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        _ = try await store.newCode(for: Fixture.alice())
        _ = try await store.setProfile(try TestProfile.full(), of: Fixture.alice(), replacing: .absent, by: .operator)
        try await TestRelyingParty.with(store) { caller in
            for key in [[:], ["Authorization": "Bearer wrong"]] {
                let path = Route.profile.path(user: try Fixture.alice())
                try await caller.call(.get, path, headers: key).expectProblem(.backendKeyRefused, 401)
                for route in [Route.setProfile, .removeProfile] {
                    let headers = key.merging(["Content-Type": "application/json"]) { $1 }
                    try await caller.call(.post, route.path, headers: headers, body: #"{"user":"alice"}"#)
                        .expectProblem(.backendKeyRefused, 401)
                }
            }
        }
        #expect(try await store.profile(of: Fixture.alice())?.revision == 1)
    }
}

extension TestCaller {
    fileprivate func profile(of user: UserID) async throws -> TestResponse {
        try await call(.get, Route.profile.path(user: user), headers: backendHeaders)
    }

    fileprivate func setProfile(_ body: String) async throws -> TestResponse {
        try await call(.post, Route.setProfile.path, headers: jsonHeaders, body: body)
    }

    fileprivate func removeProfile(_ body: String) async throws -> TestResponse {
        try await call(.post, Route.removeProfile.path, headers: jsonHeaders, body: body)
    }

    private var jsonHeaders: [String: String] { backendHeaders.merging(["Content-Type": "application/json"]) { $1 } }
}
