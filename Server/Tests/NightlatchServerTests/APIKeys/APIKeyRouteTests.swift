import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("API keys over HTTP")
struct APIKeyRouteTests {
    private struct Report: Decodable {
        let id: APIKeyID
        let name: String
        let scopes: [APIScope]
        let state: APIKey.State
        let token: APIToken?
    }

    private struct Page: Decodable {
        let entries: [Report]
    }

    private func post(
        _ path: String, _ body: String, _ token: APIToken, _ caller: TestCaller
    ) async throws
        -> TestResponse
    {
        try await caller.call(
            .post, path, headers: ["Authorization": "Bearer " + token.rawValue, "Content-Type": "application/json"],
            body: body)
    }

    private func list(_ token: APIToken, _ caller: TestCaller) async throws -> TestResponse {
        try await caller.call(.get, Route.apiKeys.path, headers: ["Authorization": "Bearer " + token.rawValue])
    }

    @Test(
        "A key is created, used beside the old one, and the old one is revoked; only one answer has the token",
        arguments: StoreKind.allCases)
    func overlap(kind: StoreKind) async throws {
        try await kind.with { store in
            let scopes: Set<APIScope> = [.keysRead, .keysWrite, .transactionsRead]
            let old = try await TestAPIKey.created("shop 1", scopes: scopes, in: store)
            try await TestRelyingParty.with(store, setup: .live) { caller in
                let created = try await post(
                    Route.createAPIKey.path,
                    #"{"name":"shop 2","scopes":["keys:read","keys:write","transactions:read"]}"#, old, caller
                ).message(Report.self)
                let new = try #require(created.token)
                #expect(created.state == .active && created.id == new.keyID && Set(created.scopes) == scopes)
                for token in [old, new] {
                    let listed = try await list(token, caller)
                    #expect(try listed.message(Page.self).entries.map(\.name).sorted() == ["shop 1", "shop 2"])
                    #expect(!listed.text.contains("nlk_") && !listed.text.contains("hash"))
                }
                let path = Route.revokeAPIKey.path(key: old.keyID.rawValue)
                try await post(path, "{}", new, caller).expectProblem(.malformedRequest, 400)
                for _ in 0..<2 {
                    let revoked = try await post(path, #"{"reason":"replaced"}"#, new, caller).message(Report.self)
                    #expect(revoked.state == .revoked && revoked.token == nil)
                }
                try await list(old, caller).expectProblem(.backendKeyRefused, 401)
                #expect(try await list(new, caller).message(Page.self).entries.map(\.state) == [.active, .revoked])
                let unknown = Route.revokeAPIKey.path(key: APIKeyID.random().rawValue)
                try await post(unknown, #"{"reason":"x"}"#, new, caller).expectProblem(.notFound, 404)
                let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
                    .filter { $0.apiKey != nil }
                func shown(_ token: APIToken) -> String { "(\(token.keyID.rawValue.prefix(8)))" }
                let lines = events.map { event in
                    "\(event.kind.rawValue) \(event.apiKeyName?.rawValue ?? "") by \(event.actor.shown)"
                }
                #expect(
                    lines.sorted() == [
                        "api_key_created shop 1 by operator",
                        "api_key_created shop 2 by operator: shop 1 \(shown(old))",
                        "api_key_revoked shop 1 by operator: shop 2 \(shown(new))",
                    ])
                #expect(events.compactMap { $0.reason?.rawValue } == ["replaced"])
            }
        }
    }

    @Test("A key gives only scopes that it has, and a refused request creates nothing")
    func escalation() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let token = try await TestAPIKey.created("admin", scopes: [.keysWrite, .usersRead], in: store)
        try await TestRelyingParty.with(store) { caller in
            func create(_ body: String) async throws -> TestResponse {
                try await post(Route.createAPIKey.path, body, token, caller)
            }
            for scopes in [#""users:delete""#, #""users:read","keys:read""#] {
                try await create(#"{"name":"more","scopes":[\#(scopes)]}"#).expectProblem(.apiKeyScopeMissing, 403)
            }
            for scopes in ["", #""users:read","users:read""#, #""users:all""#] {
                try await create(#"{"name":"odd","scopes":[\#(scopes)]}"#).expectProblem(.malformedRequest, 400)
            }
            for name in ["", "a\\u0000b", "a\\u202eb", String(repeating: "x", count: 65)] {
                try await create(#"{"name":"\#(name)","scopes":["users:read"]}"#)
                    .expectProblem(.malformedRequest, 400)
            }
            try await create(#"{"name":"admin","scopes":["users:read"]}"#).expectProblem(.apiKeyNameTaken, 409)
            try await create(#"{"name":"old","scopes":["users:read"],"expires_at":1}"#)
                .expectProblem(.expiryRefused, 400)
            // A misspelt end would be a key without an end.
            try await create(#"{"name":"x","scopes":["users:read"],"expires":4000000000}"#)
                .expectProblem(.malformedRequest, 400)
            #expect(try await store.apiKeys().count == 1)
            #expect(try await create(#"{"name":"reader","scopes":["users:read"]}"#).status == .ok)
        }
    }

    @Test("A key with an end creates only keys that end no later, and the list names the creator")
    func ends() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let end = TestTime.current + .seconds(3600)
        let token = try await TestAPIKey.created(
            "short", scopes: [.keysWrite, .keysRead], expiresAt: end, in: store)
        try await TestRelyingParty.with(store) { caller in
            func create(_ name: String, _ end: String) async throws -> TestResponse {
                try await post(
                    Route.createAPIKey.path, #"{"name":"\#(name)","scopes":["keys:read"]\#(end)}"#, token, caller)
            }
            let last = end.secondsSince1970
            for end in ["", #","expires_at":null"#, #","expires_at":\#(last + 1)"#] {
                try await create("longer", end).expectProblem(.apiKeyScopeMissing, 403)
            }
            let created = try await create("equal", #","expires_at":\#(last)"#)
            #expect(created.status == .ok && created.text.contains(#""created_by":"\#(token.keyID)""#))
            #expect(try await list(token, caller).text.contains(#""created_by":"\#(token.keyID)""#))
        }
        #expect(try await store.apiKeys().count == 2)
    }

    @Test("A key whose hash is damaged opens nothing, is listed, and can be revoked")
    func damagedHash() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let token = try await TestAPIKey.created("damaged", in: store)
            let database = try DatabaseQueue(path: path)
            try await database.write { try $0.execute(sql: "UPDATE api_key SET hash = x'00'") }
            try database.close()
            await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.apiKey(token.keyID) }
            #expect(try await store.apiKeys().map(\.id) == [token.keyID])
            #expect(try await store.revokeAPIKey(token.keyID, by: .operator)?.revokedAt != nil)
            try store.close()
        }
    }

    @Test("Each entry of a backend's action names its API key, and one of the backend key has the old form")
    func attribution() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let token = try await TestAPIKey.created(
            "shop",
            scopes: [.enrolmentWrite, .passwordsWrite, .profilesWrite, .policiesWrite, .appsWrite, .transactionsWrite],
            in: store)
        try await TestRelyingParty.with(store) { caller in
            func post(_ path: String, _ body: String) async throws {
                let answer = try await self.post(path, body, token, caller)
                #expect(answer.status == .ok, "\(path): \(answer.text)")
            }
            try await post(Route.enrolmentCodes.path, #"{"user":"alice"}"#)
            try await post(Route.setPassword.path, #"{"user":"alice","password":"correct horse"}"#)
            try await post(Route.setProfile.path, #"{"user":"alice","name":"Alice"}"#)
            try await post(Route.removeProfile.path, #"{"user":"alice"}"#)
            try await post(Route.setUserPolicy.path, #"{"user":"alice","policy":{"hardware":"required"}}"#)
            try await post("/v1/apps/web", #"{"client_id":"web","client_name":"Web"}"#)
            try await post("/v1/apps/web/policy", #"{"hardware":"required"}"#)
            try await post("/v1/apps/web/remove", "")
            _ = try await store.bind(TestDevice(), to: try Fixture.alice())
            let id = TransactionID.random()
            let end = TestTime.current.secondsSince1970 + 60
            try await post(
                Route.createTransaction.path,
                """
                {"id":"\(id)","user":"alice","devices":"all","details":{"amount":"1","currency":"EUR","payee":"x",\
                "lines":[],"expires_at":\(end)}}
                """)
            try await post(Route.voidTransaction.path(transaction: id), "")
            _ = try await caller.code(for: try Fixture.alice())
        }
        let entries = try await store.auditEntries(of: nil, before: nil, limit: 50)
        let named = entries.filter { $0.event.actor.key == token.keyID }
        #expect(
            Set(named.map(\.event.kind)) == [
                .enrolmentCodeCreated, .passwordSet, .userProfileChanged, .userProfileRemoved, .policyChanged,
                .appRegistered, .appRemoved, .transactionCreated, .transactionVoided,
            ])
        #expect(named.allSatisfy { $0.event.actor.kind == .backend && $0.event.actor.name?.rawValue == "shop" })
        let plain = try #require(entries.first)
        let text = String(decoding: plain.bytes, as: UTF8.self)
        #expect(text.hasPrefix(#"{"actor":"backend","at":"#) && !text.contains("actor_"))
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }

    @Test("An entry is read with and without a key, and its members are sorted")
    func entries() throws {
        let old =
            #"{"actor":"operator","at":1800000000,"chain":"AAAAAAAAAAAAAAAAAAAAAA","event":"app_removed","sequence":1}"#
        let entry = try StrictJSON.decode(AuditEntry.self, from: Array(old.utf8))
        #expect(entry.event.actor == .operator && String(decoding: entry.bytes, as: UTF8.self) == old)
        let party = ActingParty(.operator, key: .random(), name: APIKeyName(rawValue: "night shift"))
        let key = APIKey(
            id: .random(), name: try #require(APIKeyName(rawValue: "shop")), scopes: [.usersRead, .appsRead],
            createdAt: TestTime.start)
        let new = AuditEntry(
            chain: entry.chain, sequence: 2, at: TestTime.start,
            event: AuditEvent(created: key, by: party.giving(AuditReason(rawValue: "ticket"))))
        let text = String(decoding: new.bytes, as: UTF8.self)
        let names = text.matches(of: /"([a-z_]+)":/).map { String($0.1) }
        #expect(names == names.sorted() && names.contains("actor_name") && names.contains("scopes"))
        #expect(try StrictJSON.decode(AuditEntry.self, from: new.bytes) == new)
        // An entry of a later version, which knows one more scope.
        let later = text.replacing("\"users:read\"", with: "\"users:read\",\"webhooks:write\"")
        let read = try StrictJSON.decode(AuditEntry.self, from: Array(later.utf8))
        #expect(read.event.scopes?.map(\.rawValue) == ["apps:read", "users:read", "webhooks:write"])
        #expect(String(decoding: read.bytes, as: UTF8.self) == later)
        for name in ["", "Users:read", "a b", String(repeating: "a", count: 65)] {
            let odd = text.replacing("users:read", with: name)
            #expect((try? StrictJSON.decode(AuditEntry.self, from: Array(odd.utf8))) == nil, "\(name)")
        }
    }
}
