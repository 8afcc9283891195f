import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Administration over HTTP")
struct AdministrationRouteTests {
    /// An operator's program.
    private struct Program {
        let caller: TestCaller
        let token: APIToken

        func get(_ route: Route, _ query: String = "") async throws -> TestResponse {
            try await caller.call(
                .get, route.path + query, headers: ["Authorization": "Bearer " + token.rawValue])
        }

        func post(_ path: String, _ body: String) async throws -> TestResponse {
            try await caller.call(
                .post, path,
                headers: ["Authorization": "Bearer " + token.rawValue, "Content-Type": "application/json"], body: body)
        }

        func post(_ route: Route, _ body: String) async throws -> TestResponse { try await post(route.path, body) }
    }

    private func withProgram(
        _ kind: StoreKind = .memory, scopes: Set<APIScope> = Set(APIScope.allCases), setup: TestingSetup = .live,
        _ body: @escaping @Sendable (Program, any RelyingPartyStore) async throws -> Void
    ) async throws {
        try await kind.with { store in
            let token = try await TestAPIKey.created("night shift", scopes: scopes, in: store)
            try await TestRelyingParty.with(store, setup: setup) { caller in
                try await body(Program(caller: caller, token: token), store)
            }
        }
    }

    private func object(_ response: TestResponse) throws -> [String: Any] {
        #expect(response.status == .ok, "\(response.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
    }

    private func entries(_ response: TestResponse) throws -> [[String: Any]] {
        try #require(try object(response)["entries"] as? [[String: Any]])
    }

    @Test(
        "Users are listed in pages and shown; devices are renamed, blocked, unblocked and revoked, with a reason",
        arguments: StoreKind.allCases)
    func devices(kind: StoreKind) async throws {
        try await withProgram(kind) { program, store in
            for name in ["alice", "albert", "bob"] {
                _ = try await store.newCode(for: try #require(UserID(rawValue: name)))
            }
            let first = try object(try await program.get(.administeredUsers, "?prefix=al&limit=1"))
            #expect((first["entries"] as? [[String: Any]])?.map { $0["user"] as? String } == ["albert"])
            let next = try #require(first["next"] as? String)
            let second = try object(try await program.get(.administeredUsers, "?prefix=al&limit=1&cursor=\(next)"))
            #expect((second["entries"] as? [[String: Any]])?.map { $0["user"] as? String } == ["alice"])
            #expect(second["next"] == nil)
            for query in ["?limit=0", "?limit=501", "?limit=x", "?limit=+1", "?cursor=", "?prefix=%00"] {
                try await program.get(.administeredUsers, query).expectProblem(.malformedRequest, 400)
            }

            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            let shown = try object(try await program.get(.administeredUser, "?user=alice"))
            #expect((shown["devices"] as? [[String: Any]])?.count == 1)
            try await program.get(.administeredUser, "?user=nobody").expectProblem(.notFound, 404)

            func change(_ route: Route, _ body: String) async throws -> TestResponse {
                try await program.post(route.path(device: id), body)
            }
            let justified = #"{"user":"alice","reason":"ticket 1"}"#
            let renamed = try object(
                try await change(.administerDeviceName, #"{"user":"alice","name":"Old phone"}"#))
            #expect(renamed["name"] as? String == "Old phone")
            // Without a reason nothing stops.
            for route in [Route.administerDeviceBlock, .administerDeviceRevocation] {
                try await change(route, #"{"user":"alice"}"#).expectProblem(.malformedRequest, 400)
                try await change(route, #"{"user":"alice","reason":""}"#).expectProblem(.malformedRequest, 400)
                try await change(route, #"{"user":"bob","reason":"x"}"#).expectProblem(.notFound, 404)
            }
            #expect(try object(try await change(.administerDeviceBlock, justified))["status"] as? String == "blocked")
            #expect(
                try object(try await change(.administerDeviceUnblock, #"{"user":"alice"}"#))["status"] as? String
                    == "active")
            for _ in 0..<2 {
                let revoked = try object(try await change(.administerDeviceRevocation, justified))
                #expect(revoked["status"] as? String == "revoked")
            }
            try await change(.administerDeviceBlock, justified).expectProblem(.deviceEnded, 409)
            let listed = try entries(try await program.get(.administeredDevices, "?user=alice"))
            #expect(listed.map { $0["id"] as? String } == [id.rawValue])

            let events = try await store.auditEntries(of: alice, before: nil, limit: 9).map(\.event)
                .filter { $0.actor.kind == .operator }
            #expect(
                Dictionary(uniqueKeysWithValues: events.map { ($0.kind, $0.reason?.rawValue) }) == [
                    .deviceRevoked: "ticket 1", .deviceUnblocked: nil, .deviceBlocked: "ticket 1", .deviceRenamed: nil,
                ])
            #expect(events.allSatisfy { $0.actor.key == program.token.keyID })
            #expect(events.allSatisfy { $0.actor.name?.rawValue == "night shift" })
        }
    }

    @Test("A user's profile and devices are shown only to a key with their scopes")
    func shownParts() async throws {
        for (scopes, hasProfile, hasDevices) in [
            ([APIScope.usersRead], false, false), ([.usersRead, .profilesRead], true, false),
            ([.usersRead, .devicesRead], false, true),
        ] {
            try await withProgram(scopes: Set(scopes)) { program, store in
                let alice = try Fixture.alice()
                _ = try await store.bind(TestDevice(), to: alice)
                _ = try await store.setProfile(TestProfile.full(), of: alice, replacing: .any, by: .backend)
                let shown = try object(try await program.get(.administeredUser, "?user=alice"))
                #expect((shown["profile"] != nil) == hasProfile && (shown["devices"] != nil) == hasDevices)
            }
        }
    }

    @Test("A query or a body with a misspelt name is refused, and does nothing")
    func misspelt() async throws {
        try await withProgram { program, store in
            _ = try await store.newCode(for: try Fixture.alice())
            for (route, query) in [
                (Route.administeredAuditEntries, "?usr=alice"), (.administeredTransactions, "?State=pending"),
                (.administeredUsers, "?prefix=a&Limit=1"), (.administeredOverview, "?x=1"), (.apiKeys, "?x="),
                (.administeredUser, "?user=alice&devices=0"),
            ] {
                try await program.get(route, query).expectProblem(.malformedRequest, 400)
            }
            for (route, body) in [
                (Route.exportUser, #"{"user":"alice","reasons":"ticket"}"#),
                (.deleteUser, #"{"user":"alice","reason":"x","dry_run":true}"#),
                (.rotateSigningKey, #"{"reason":"x","Reason":"y"}"#),
            ] {
                try await program.post(route, body).expectProblem(.malformedRequest, 400)
            }
            #expect(try await store.user(try Fixture.alice()) != nil)
            let kinds = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event.kind)
            #expect(!kinds.contains(.userExported))
        }
    }

    @Test("A user is exported and deleted; the log says by which key and why", arguments: StoreKind.allCases)
    func userData(kind: StoreKind) async throws {
        // An answer that is made while it is sent is the last one of its connection.
        try await withProgram(kind, setup: .router) { program, store in
            let alice = try Fixture.alice()
            let person = try await TestPerson(alice, in: store)
            let exported = try object(try await program.post(.exportUser, #"{"user":"alice","reason":"request 7"}"#))
            #expect((exported["devices"] as? [Any])?.count == 2)
            #expect((exported["user"] as? [String: Any])?["id"] as? String == "alice")
            let noted = try #require(
                try await store.auditEntries(matching: AuditFilter(kind: .userExported), before: nil, limit: 9).first)
            #expect(noted.event.reason?.rawValue == "request 7" && noted.event.actor.key == program.token.keyID)

            try await program.post(.deleteUser, #"{"user":"alice"}"#).expectProblem(.malformedRequest, 400)
            #expect(try await store.user(alice) != nil)
            let deleted = try object(try await program.post(.deleteUser, #"{"user":"alice","reason":"request 8"}"#))
            #expect(deleted["devices"] as? Int == 2)
            let pseudonym = try #require(deleted["pseudonym"] as? String)
            #expect(try await store.user(alice) == nil)
            #expect(try await store.device(person.id, of: alice) == nil)
            for route in [Route.deleteUser, .exportUser] {
                try await program.post(route, #"{"user":"alice","reason":"x"}"#).expectProblem(.notFound, 404)
            }
            let log = try entries(
                try await program.get(.administeredAuditEntries, "?user=\(pseudonym)&event=user_deleted"))
            #expect(log.count == 1 && log[0]["actor"] as? String == "operator")
            #expect(log[0]["actor_key"] as? String == program.token.keyID.rawValue)
            #expect(log[0]["actor_name"] as? String == "night shift" && log[0]["reason"] as? String == "request 8")
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    @Test("Journey keys and sessions are listed, renamed, removed and ended", arguments: StoreKind.allCases)
    func journeys(kind: StoreKind) async throws {
        try await withProgram(kind) { program, store in
            _ = try await TestPerson(try Fixture.alice(), in: store)
            let keys = try entries(try await program.get(.administeredJourneyKeys, "?user=alice"))
            #expect(keys.map { $0["id"] as? String } == ["key"])
            let renamed = try object(
                try await program.post(
                    .administerJourneyKeyName, #"{"user":"alice","key":"key","name":"Tablet"}"#))
            #expect(renamed["name"] as? String == "Tablet")
            #expect(try entries(try await program.get(.administeredJourneySessions, "?user=alice")).count == 2)
            let ended = try object(
                try await program.post(.endJourneySessions, #"{"user":"alice","reason":"ticket 2"}"#))
            #expect(ended["ended"] as? Int == 2)
            let removal = #"{"user":"alice","key":"key","reason":"ticket 3"}"#
            #expect(try object(try await program.post(.removeJourneyKey, removal))["id"] as? String == "key")
            try await program.post(.removeJourneyKey, removal).expectProblem(.notFound, 404)
            let events = try await store.auditEntries(of: try Fixture.alice(), before: nil, limit: 99).map(\.event)
                .filter { $0.actor.key == program.token.keyID }
            // Entries of the same second are in order only within a chain, and a PostgreSQL store has several.
            #expect(
                Dictionary(uniqueKeysWithValues: events.map { ($0.kind, $0.reason?.rawValue) }) == [
                    .journeyDeviceRemoved: "ticket 3", .journeySessionsEnded: "ticket 2", .journeyDeviceRenamed: nil,
                ])
        }
    }

    @Test("Transactions are listed in pages and voided; a decided one keeps its state", arguments: StoreKind.allCases)
    func transactions(kind: StoreKind) async throws {
        try await withProgram(kind) { program, store in
            _ = try await TestPerson(try Fixture.alice(), in: store)
            var (found, cursor): ([[String: Any]], String?) = ([], "")
            // Ends: each page has one of the three transactions.
            while let next = cursor, found.count < 4 {
                let page = try object(
                    try await program.get(
                        .administeredTransactions, "?user=alice&limit=1" + (next.isEmpty ? "" : "&cursor=\(next)")))
                found += try #require(page["entries"] as? [[String: Any]])
                cursor = page["next"] as? String
            }
            #expect(Set(found.compactMap { $0["state"] as? String }) == ["confirmed", "voided", "pending"])
            #expect(found.allSatisfy { $0["proof"] == nil })
            for query in ["?cursor=1.x", "?cursor=-1.\(String(repeating: "a", count: 32))", "?state=odd"] {
                try await program.get(.administeredTransactions, query).expectProblem(.malformedRequest, 400)
            }
            let pending = try entries(try await program.get(.administeredTransactions, "?state=pending"))
            let id = try #require(pending.first?["id"] as? String)
            let path = Route.administerTransactionVoiding.path.replacing("{transaction}", with: id)
            try await program.post(path, "{}").expectProblem(.malformedRequest, 400)
            for _ in 0..<2 {
                let voided = try object(try await program.post(path, #"{"reason":"ticket 5"}"#))
                #expect(voided["state"] as? String == "voided")
            }
            let confirmed = try #require(found.first { $0["state"] as? String == "confirmed" }?["id"] as? String)
            try await program.post(
                Route.administerTransactionVoiding.path.replacing("{transaction}", with: confirmed),
                #"{"reason":"ticket 5"}"#
            ).expectProblem(.transactionConfirmed, 409)
            let event = try #require(
                try await store.auditEntries(
                    matching: AuditFilter(kind: .transactionVoided), before: nil, limit: 9
                ).map(\.event).first { $0.transaction?.rawValue == id })
            #expect(event.actor.kind == .operator && event.reason?.rawValue == "ticket 5")
        }
    }

    @Test("A policy is replaced only by a request that names its revision", arguments: StoreKind.allCases)
    func policies(kind: StoreKind) async throws {
        try await withProgram(kind) { program, store in
            _ = try await store.newCode(for: try Fixture.alice())
            for (route, subject) in [
                (Route.replaceAppPolicy, #""app":"nightlatch""#), (.replaceUserPolicy, #""user":"alice""#),
            ] {
                func replace(_ revision: Int, _ policy: String) async throws -> TestResponse {
                    try await program.post(route, #"{\#(subject),"policy":\#(policy),"revision":\#(revision)}"#)
                }
                let required = #"{"hardware":"required"}"#
                let first = try object(try await replace(0, required))
                let revision = try #require(first["revision"] as? Int)
                #expect(first["changed_by"] as? String == "operator")
                // The same request again, after its answer was lost.
                #expect(try object(try await replace(0, required))["revision"] as? Int == revision)
                try await replace(0, #"{"hardware":"preferred"}"#).expectProblem(.policyChanged, 409)
                let removed = try object(try await replace(revision, "{}"))
                #expect((removed["policy"] as? [String: Any])?.isEmpty == true)
            }
            try await program.post(.replaceUserPolicy, #"{"user":"bob","policy":{},"revision":0}"#)
                .expectProblem(.notFound, 404)
            let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
                .filter { $0.policyRevision != nil }
            #expect(events.count == 4 && events.allSatisfy { $0.actor.name?.rawValue == "night shift" })
        }
    }

    @Test("The log is read in pages with a filter, and the overview has its figures", arguments: StoreKind.allCases)
    func log(kind: StoreKind) async throws {
        try await withProgram(kind) { program, store in
            for _ in 0..<5 { _ = try await store.newCode(for: try Fixture.alice()) }
            var (sizes, seen, cursor): ([Int], Set<String>, String?) = ([], [], "")
            // Ends: each page has two of the entries.
            while let next = cursor, sizes.count < 9 {
                let page = try object(
                    try await program.get(
                        .administeredAuditEntries,
                        "?event=enrolment_code_created&limit=2" + (next.isEmpty ? "" : "&cursor=\(next)")))
                let found = try #require(page["entries"] as? [[String: Any]])
                sizes.append(found.count)
                for entry in found { seen.insert("\(entry["chain"] ?? "") \(entry["sequence"] ?? "")") }
                cursor = page["next"] as? String
            }
            #expect(sizes == [2, 2, 1] && seen.count == 5)
            let before = try entries(
                try await program.get(
                    .administeredAuditEntries, "?until=\(TestTime.current.secondsSince1970 - 1)"))
            #expect(before.isEmpty)
            for query in ["?cursor=x", "?event=x", "?until=-1", "?until=01", "?problem=X", "?limit=0"] {
                try await program.get(.administeredAuditEntries, query).expectProblem(.malformedRequest, 400)
            }
            let overview = try object(try await program.get(.administeredOverview))
            #expect((overview["audit_tail"] as? [String: Any])?["is_intact"] as? Bool == true)
            #expect((overview["pending_transactions"] as? [String: Any])?["count"] as? Int == 0)
        }
    }

    @Test("The key that signs access tokens is replaced, and the log names the program")
    func signingKey() async throws {
        try await withProgram { program, store in
            try await program.post(.rotateSigningKey, "{}").expectProblem(.malformedRequest, 400)
            let first = try object(try await program.post(.rotateSigningKey, #"{"reason":"yearly"}"#))
            let again = try object(try await program.post(.rotateSigningKey, #"{"reason":"yearly"}"#))
            #expect(first["kid"] as? String == again["kid"] as? String)
            #expect(try await store.signingKeys().count == 2)
            let events = try await store.auditEntries(
                matching: AuditFilter(kind: .signingKeyAdded), before: nil, limit: 9
            ).map(\.event)
            #expect(events.map(\.actor.kind) == [.operator, .server])
            #expect(events.first?.reason?.rawValue == "yearly")
        }
    }
}
