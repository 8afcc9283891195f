import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The claims that an app gets about its user")
struct OpenIDClaimTests {
    /// The claims of each scope, with the values of ``TestProfile``.
    private static let claims: [String: [String: JSONValue]] = [
        "profile": [
            "name": .string("Alice Ó Example"), "given_name": .string("Alice"), "family_name": .string("Ó Example"),
            "preferred_username": .string("alice"), "updated_at": .integer(TestTime.current.secondsSince1970),
        ],
        "email": ["email": .string("alice@example.com"), "email_verified": .bool(true)],
        "phone": ["phone_number": .string("+43 1 234-56")], "address": [:],
    ]

    /// The claims of an ID token that do not depend on scopes.
    private static let ofToken: Set<String> = [
        "acr", "at_hash", "aud", "auth_time", "azp", "exp", "iat", "iss", "nonce", "sid",
    ]

    private func withProfile(
        _ kind: StoreKind = .memory, _ body: @escaping @Sendable (OpenIDParty) async throws -> Void
    ) async throws {
        try await OpenIDParty.with(kind) { party in
            _ = try await party.store.setProfile(
                try TestProfile.full(), of: Fixture.alice(), replacing: .absent, by: .operator)
            try await body(party)
        }
    }

    /// The claims about the user at the userinfo endpoint, and those in the ID token.
    private func shown(_ tokens: JSONValue, by party: OpenIDParty) async throws -> [[String: JSONValue]] {
        let atEndpoint = try await party.userInformation(tokens.text("access_token"))
        #expect(atEndpoint.status == .ok, "\(atEndpoint.text)")
        let inToken = try await party.claims(of: tokens.text("id_token"), type: "JWT")
        return try [atEndpoint.json(), inToken].map { claims in
            let members = try #require(claims.object?.members)
            #expect(Set(members.map(\.name)).count == members.count)
            return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
                .filter { !Self.ofToken.contains($0.key) }
        }
    }

    @Test(
        "The scopes of a grant alone decide which claims its tokens show, also after a refresh",
        arguments: [[], ["profile"], ["email"], ["phone"], ["profile", "email"], ["profile", "email", "phone"]],
        StoreKind.allCases)
    func scopes(_ scopes: [String], kind: StoreKind) async throws {
        try await withProfile(kind) { party in
            let expected = scopes.reduce(into: ["sub": JSONValue.string("alice")]) { all, scope in
                all.merge(Self.claims[scope] ?? [:]) { $1 }
            }
            let asked = (["openid"] + scopes).joined(separator: " ")
            let tokens = try await party.tokens("public", ["scope": asked])
            #expect(Set(try tokens.text("scope").split(separator: " ")) == Set(asked.split(separator: " ")))
            for claims in try await shown(tokens, by: party) { #expect(claims == expected) }
            let refreshed = try await party.refresh(tokens.text("refresh_token")).json()
            for claims in try await shown(refreshed, by: party) { #expect(claims == expected) }
        }
    }

    @Test("A user without a profile has an id, and a user with part of one has these claims", arguments: [false, true])
    func part(hasEmail: Bool) async throws {
        try await OpenIDParty.with { party in
            var expected: [String: JSONValue] = ["sub": .string("alice"), "preferred_username": .string("alice")]
            if hasEmail {
                var profile = UserProfile()
                profile.email = .init(try #require(EmailAddress(rawValue: "a@example.com")), isVerified: false)
                _ = try await party.store.setProfile(profile, of: Fixture.alice(), replacing: .any, by: .operator)
                expected["email"] = .string("a@example.com")
                expected["email_verified"] = .bool(false)
                expected["updated_at"] = .integer(TestTime.current.secondsSince1970)
            }
            let tokens = try await party.tokens("public", ["scope": "openid profile email phone"])
            for claims in try await shown(tokens, by: party) { #expect(claims == expected) }
        }
    }

    @Test("A change of a profile shows at the userinfo endpoint at once, and in the next ID token")
    func change() async throws {
        try await withProfile { party in
            let tokens = try await party.tokens("public", ["scope": "openid email"])
            let changed = try TestProfile.full(email: "new@example.com", isVerified: false)
            _ = try await party.store.setProfile(changed, of: Fixture.alice(), replacing: .any, by: .operator)
            let addresses = try await shown(tokens, by: party).map { $0["email"]?.string }
            #expect(addresses == ["new@example.com", "alice@example.com"])
            let refreshed = try await party.refresh(tokens.text("refresh_token")).json()
            for claims in try await shown(refreshed, by: party) {
                #expect(claims["email"] == .string("new@example.com") && claims["email_verified"] == .bool(false))
            }
            _ = try await party.store.setProfile(nil, of: Fixture.alice(), replacing: .any, by: .operator)
            let last = try await party.refresh(refreshed.text("refresh_token")).json()
            for claims in try await shown(last, by: party) { #expect(claims == ["sub": .string("alice")]) }
        }
    }

    @Test("A scope that the app's record lacks is not granted, and a scope that was taken away shows nothing any more")
    func takenAway() async throws {
        try await withProfile { party in
            try await party.change("public") { $0.scopes = [.openID, .profile] }
            let tokens = try await party.tokens("public", ["scope": "openid profile email phone address unknown"])
            #expect(try tokens.text("scope") == "openid profile")
            for claims in try await shown(tokens, by: party) {
                #expect(claims["email"] == nil && claims["name"] != nil)
            }
            try await party.change("public") { $0.scopes = [.openID] }
            try await TestTime.after(.seconds(6)) { () async throws in
                let old = try await party.userInformation(tokens.text("access_token"))
                #expect(try old.status == .ok && old.json().object?.members.map(\.name) == ["sub"])
                let refreshed = try await party.refresh(tokens.text("refresh_token")).json()
                for claims in try await shown(refreshed, by: party) { #expect(claims == ["sub": .string("alice")]) }
            }
        }
    }

    @Test("If the profile cannot be read, the app gets no tokens: it repeats a refresh, and begins again after a code")
    func unreadable() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let file = try DatabaseQueue(path: path)
            @Sendable func change(_ document: String) async throws {
                try await file.write { try $0.execute(sql: "UPDATE user_profile SET document = " + document) }
            }
            try await OpenIDParty.with(over: store) { party in
                _ = try await store.setProfile(
                    try TestProfile.full(), of: Fixture.alice(), replacing: .absent, by: .operator)
                let token = try await party.tokens("public", ["scope": "openid email"]).text("refresh_token")
                let exchange = OpenIDParty.exchange(try await party.code("public", ["scope": "openid email"]))
                try await change("'-' || document")
                for response in [try await party.refresh(token), try await party.token(exchange)] {
                    #expect(try response.status.kind == .serverError && response.oauthError == "server_error")
                    #expect(!response.text.contains("token"), "\(response.text)")
                }
                try await change("substr(document, 2)")
                let repeated = try await party.refresh(token)
                #expect(repeated.status == .ok)
                for claims in try await shown(repeated.json(), by: party) {
                    #expect(claims["email"] == .string("alice@example.com"))
                }
                #expect(try await party.token(exchange).oauthError == "invalid_grant")
            }
            try file.close()
            try store.close()
        }
    }

    @Test("Access tokens have no claims of a profile, and introspection has none")
    func accessToken() async throws {
        try await withProfile { party in
            let token = try await party.tokens("public", ["scope": "openid profile email phone"]).text("access_token")
            let claims = try await party.claims(of: token, type: "at+jwt")
            let state = try await party.caller.introspect(token).json()
            for scope in Self.claims.values {
                for name in scope.keys { #expect(claims[name] == nil && state[name] == nil, "\(name)") }
            }
        }
    }

    @Test("An ID token with a profile still names its session")
    func hint() async throws {
        try await withProfile { party in
            let tokens = try await party.tokens("public", ["scope": "openid profile email phone"])
            let fields = try ["id_token_hint": tokens.text("id_token")]
            let ended = try await party.caller.call(.get, "/oauth/end-session?" + OpenIDParty.form(fields))
            #expect(ended.status == .noContent)
            #expect(try await party.userInformation(tokens.text("access_token")).status == .unauthorized)
        }
    }

    @Test("Discovery lists exactly the claims and scopes that are served")
    func discovery() async throws {
        try await withProfile { party in
            let document = try await party.caller.call(.get, "/.well-known/openid-configuration").json()
            func words(_ name: String) throws -> [String] { try #require(document[name]?.array).compactMap(\.string) }
            #expect(try words("scopes_supported") == ["openid", "profile", "email", "phone", "offline_access"])
            let tokens = try await party.tokens("public", ["scope": words("scopes_supported").joined(separator: " ")])
            #expect(try tokens.text("scope").split(separator: " ").map(String.init) == words("scopes_supported"))
            let atEndpoint = try await party.userInformation(tokens.text("access_token")).json()
            let inToken = try await party.claims(of: tokens.text("id_token"), type: "JWT")
            let served = try [atEndpoint, inToken].flatMap { try #require($0.object?.members).map(\.name) }
            #expect(try words("claims_supported") == Set(served).sorted())
        }
    }
}
