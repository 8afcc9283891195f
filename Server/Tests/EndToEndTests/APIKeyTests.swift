import Foundation
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchWire
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// API keys with the command and with servers that share a database.
@Suite("API keys over real processes", .timeLimit(.minutes(10)))
struct APIKeyTests {
    private struct Created: Decodable {
        let id: APIKeyID
        let token: APIToken
    }

    private struct Page: Decodable {
        let entries: [Entry]

        struct Entry: Decodable {
            let event: String
            let actor: String
            let actor_key: String?
            let actor_name: String?
            let reason: String?
        }
    }

    /// Runs `nightlatch admin …` on the database of a fleet.
    private func admin(_ arguments: [String], of fleet: ServerFleet) async throws -> Outcome {
        let database =
            fleet.cluster?.address(database: fleet.database) ?? "sqlite:\(fleet.file)"
        return try await Nightlatch.run(["admin"] + arguments + ["--database", database])
    }

    private func create(_ name: String, _ scopes: [String], of fleet: ServerFleet) async throws -> Created {
        let outcome = try await admin(
            ["api-keys", "create", name, "--json"] + scopes.flatMap { ["--scope", $0] }, of: fleet)
        #expect(outcome.status == 0 && outcome.errors.contains("not shown again"), "\(outcome.errors)")
        return try JSONDecoder().decode(Created.self, from: Data(outcome.output.utf8))
    }

    /// Calls a route of one server.
    private func call(
        _ server: Issuer, _ path: String, _ token: APIToken, body: String? = nil
    ) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: try #require(URL(string: server.rawValue + path)))
        request.setValue("Bearer " + token.rawValue, forHTTPHeaderField: "Authorization")
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }

    @Test(
        "A key of the command opens three servers; revoked at one it is refused by all at the next request; the log names it",
        arguments: ServerFleet.Kind.allCases)
    func story(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let all = APIScope.allCases.map(\.rawValue)
            let boss = try await create("boss", all, of: fleet)
            let shop = try await create("shop", ["enrolment:write"], of: fleet)
            for server in fleet.addresses {
                let made = try await call(server, "/v1/enrolment-codes", shop.token, body: #"{"user":"alice"}"#)
                #expect(made.status == 200)
                #expect(try await call(server, "/v1/admin/users", shop.token).status == 403)
            }
            let revoked = try await call(
                fleet.addresses[1], "/v1/admin/api-keys/\(shop.id)/revoke", boss.token, body: #"{"reason":"leaked"}"#)
            #expect(revoked.status == 200)
            for server in fleet.addresses {
                let refused = try await call(server, "/v1/enrolment-codes", shop.token, body: #"{"user":"bob"}"#)
                #expect(refused.status == 401, "\(String(decoding: refused.body, as: UTF8.self))")
            }
            let deleted = try await call(
                fleet.addresses[2], "/v1/admin/users/delete", boss.token,
                body: #"{"user":"alice","reason":"request 9"}"#)
            #expect(deleted.status == 200)

            let log = try await call(fleet.addresses[0], "/v1/admin/audit?limit=500", boss.token)
            let entries = try JSONDecoder().decode(Page.self, from: log.body).entries
            let named = entries.filter { $0.actor_name != nil }
            #expect(
                named.map { "\($0.event) by \($0.actor) \($0.actor_name ?? "")" }.sorted() == [
                    "api_key_revoked by operator boss", "enrolment_code_created by backend shop",
                    "enrolment_code_created by backend shop", "enrolment_code_created by backend shop",
                    "user_deleted by operator boss",
                ])
            #expect(named.allSatisfy { [boss.id.rawValue, shop.id.rawValue].contains($0.actor_key) })
            #expect(entries.first { $0.event == "user_deleted" }?.reason == "request 9")
            let table = try await admin(["audit", "--limit", "500"], of: fleet)
            #expect(table.output.contains("operator: boss") && table.output.contains("leaked"), "\(table.output)")
            for file in ["0", "1", "2"] {
                let text = try String(contentsOfFile: fleet.folder.path + "/\(file)/server.log", encoding: .utf8)
                #expect(!text.contains("nlk_"))
            }
            #expect(!table.output.contains("nlk_"))
        }
    }

    @Test("The command creates, lists and revokes keys, and refuses what makes no key")
    func command() async throws {
        try await ServerFleet.with(.sqlite) { fleet in
            let created = try await admin(
                ["api-keys", "create", "shop é", "--scope", "users:read", "--scope", "audit:read", "--days", "30"],
                of: fleet)
            let token = try #require(
                APIToken(rawValue: created.output.trimmingCharacters(in: .whitespacesAndNewlines)),
                "\(created.errors)")
            #expect(try await call(fleet.addresses[0], "/v1/admin/users", token).status == 200)
            for arguments in [
                ["api-keys", "create", "x"], ["api-keys", "create", "x", "--scope", "users:all"],
                ["api-keys", "create", "", "--scope", "all"],
                ["api-keys", "create", "x", "--scope", "all", "--days", "0"],
                ["api-keys", "create", "shop é", "--scope", "all"], ["api-keys", "revoke", "x"],
                ["api-keys", "revoke", String(repeating: "0", count: 32)],
            ] {
                let refused = try await admin(arguments, of: fleet)
                #expect(refused.status != 0 && refused.output.isEmpty, "\(arguments): \(refused.output)")
            }
            let listed = try await admin(["api-keys", "list"], of: fleet)
            #expect(listed.output.contains("audit:read users:read") && listed.output.contains("active"))
            #expect(!listed.output.contains("nlk_"))
            for _ in 0..<2 {
                let revoked = try await admin(
                    ["api-keys", "revoke", token.keyID.rawValue, "--reason", "ticket 1"], of: fleet)
                #expect(revoked.status == 0, "\(revoked.errors)")
            }
            #expect(try await call(fleet.addresses[2], "/v1/admin/users", token).status == 401)
            #expect(try await admin(["api-keys", "list"], of: fleet).output.contains("revoked"))
        }
    }
}
