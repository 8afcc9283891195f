import Foundation
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("Apps at the command line", .timeLimit(.minutes(10)))
struct AppCommandTests {
    private struct Report: Decodable {
        let client_id: String
        let client_name: String
        let revision: Int
        let token_endpoint_auth_method: String
        let client_secret: String?
        let client_secret_hash: String?
        let redirect_uris: [String]
        let post_logout_redirect_uris: [String]
        let scope: String
        let dpop_bound_access_tokens: Bool
        let binds_devices: Bool
        let access_token_seconds: Int
        let refresh_token_seconds: Int
        let device_policy: String?
    }

    /// Runs `nightlatch admin apps …` on a database.
    private struct Apps {
        let database: String

        func callAsFunction(_ arguments: String...) async throws -> Outcome {
            try await Nightlatch.run(["admin", "apps"] + arguments + ["--database", database])
        }
    }

    private func report(_ outcome: Outcome) throws -> Report {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    /// Runs `body` with the database of a server that has stopped.
    private func withDatabase(
        _ kind: ServerFleet.Kind, _ body: (Apps, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var database = "sqlite:\(folder.path)/nightlatch.sqlite"
        if kind == .postgres {
            let cluster = try await PostgresCluster.shared
            database = cluster.address(database: try await cluster.createDatabase())
        }
        try await ServerProcess.run(in: folder, options: ["--database", database]) { _ in }
        try await body(Apps(database: database), folder)
    }

    @Test("An operator registers, shows, changes, lists and removes an app", arguments: ServerFleet.Kind.allCases)
    func story(kind: ServerFleet.Kind) async throws {
        try await withDatabase(kind) { apps, _ in
            #expect(try await apps("list").output == "APP  AUTHENTICATION  TOKENS  DEVICES  REVISION  NAME\n")
            let added = try report(
                await apps(
                    "add", "web", "--client-name", "Bücher & mehr", "--secret", "--redirect-uris",
                    "https://app.example/callback", "http://127.0.0.1/callback", "--scope", "openid email", "--json"))
            let secret = try #require(added.client_secret.flatMap(AppSecret.init))
            #expect(added.client_id == "web" && added.client_name == "Bücher & mehr" && added.revision == 1)
            #expect(added.token_endpoint_auth_method == "client_secret_basic" && added.client_secret_hash == nil)
            #expect(added.redirect_uris == ["https://app.example/callback", "http://127.0.0.1/callback"])
            #expect(added.scope == "openid email" && !added.binds_devices && added.device_policy == nil)

            let shown = try await apps("show", "web")
            #expect(shown.output.contains(/\nredirect_uris +http:\/\/127\.0\.0\.1\/callback\n/), "\(shown.output)")
            let hash = Base64URL.encode(secret.hash.bytes)
            #expect(!shown.output.contains(secret.rawValue) && !shown.output.contains(hash))
            let json = try await apps("show", "web", "--json")
            #expect(!json.output.contains(secret.rawValue) && !json.output.contains(hash))

            let changed = try report(
                await apps(
                    "change", "web", "--binds-devices", "--dpop-bound-access-tokens", "--device-policy", "one",
                    "--access-token-seconds", "60", "--refresh-token-seconds", "0", "--json"))
            #expect(changed.revision == 2 && changed.client_secret == nil && changed.client_name == "Bücher & mehr")
            #expect(changed.binds_devices && changed.dpop_bound_access_tokens && changed.device_policy == "one")
            #expect(changed.access_token_seconds == 60 && changed.refresh_token_seconds == 0)
            #expect(changed.redirect_uris == added.redirect_uris && changed.scope == added.scope)
            let back = try report(
                await apps(
                    "change", "web", "--no-binds-devices", "--no-dpop-bound-access-tokens", "--device-policy", "",
                    "--redirect-uris", "com.example.app:/callback", "--client-name", "Bücher", "--json"))
            #expect(!back.binds_devices && !back.dpop_bound_access_tokens && back.device_policy == nil)
            #expect(back.redirect_uris == ["com.example.app:/callback"] && back.client_name == "Bücher")
            let emptied = try report(await apps("change", "web", "--redirect-uris", "", "--json"))
            #expect(emptied.redirect_uris == [] && emptied.revision == 4)

            let renewed = try await apps("change", "web", "--secret")
            let line = try #require(renewed.output.firstMatch(of: /\nclient_secret +([A-Za-z0-9_-]{43})\n/))
            #expect(String(line.1) != secret.rawValue)
            #expect(renewed.errors == "The secret is not shown again: keep it now.\n")

            let listed = try await apps("list")
            #expect(
                listed.output.hasSuffix("\nweb  client_secret_basic  bearer  -        5         Bücher\n"),
                "\(listed.output)")
            #expect(
                try await apps("list", "--json").output
                    == #"{"apps":[{"binds_devices":false,"client_id":"web","client_name":"Bücher","dpop_bound_access_tokens":false,"#
                    + #""revision":5,"token_endpoint_auth_method":"client_secret_basic"}]}"# + "\n")
            #expect(try await apps("remove", "web").output == "web  removed\n")
            for command in ["remove", "show", "change"] {
                let refused = try await apps(command, "web")
                #expect(refused.status == 1 && refused.errors.contains("There is no such app."))
            }
            let audit = try await Nightlatch.run("admin", "audit", "--database", apps.database)
            #expect(audit.output.matches(of: #/app_registered +operator.* web /#).count == 1, "\(audit.output)")
            #expect(audit.output.matches(of: #/app_changed +operator.* web /#).count == 4)
            #expect(audit.output.matches(of: #/app_removed +operator.* web /#).count == 1)
        }
    }

    @Test("An app with keys is registered from a file")
    func keys() async throws {
        try await withDatabase(.sqlite) { apps, folder in
            let file = folder.path + "/keys.json"
            let key =
                #"{"crv":"P-256","kty":"EC","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY","y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}"#
            try Data(#"{"keys":[\#(key)]}"#.utf8).write(to: URL(filePath: file))
            let added = try await apps("add", "server", "--jwks", file)
            #expect(added.output.contains("private_key_jwt") && added.output.contains("\njwks  "), "\(added.errors)")
            try Data(#"{"keys":[\#(key.replacing("{", with: #"{"d":"AAAA","#))]}"#.utf8).write(to: URL(filePath: file))
            let refused = try await apps("change", "server", "--jwks", file)
            #expect(refused.status == 2 && refused.errors.contains("jwks: keys[0] "), "\(refused.errors)")
        }
    }

    @Test("A mistake ends with a message that names the member and its rule, and changes nothing")
    func mistakes() async throws {
        try await withDatabase(.sqlite) { apps, _ in
            for (arguments, message) in [
                (["add", "a b"], "This is not an app’s id, which has 1 to 64 characters"),
                (["add", "web", "--client-name", ""], "client_name must be 1 to 64 characters"),
                (
                    ["add", "web", "--redirect-uris", "javascript:alert(1)"],
                    "“javascript:alert(1)” in redirect_uris must be an https URL"
                ),
                (["add", "web", "--scope", "é"], "scope must be 1 to 64 printable"),
                (
                    ["add", "web", "--access-token-seconds", "1"],
                    "The app must have access_token_seconds from 30 to 3600."
                ),
                (["add", "web", "--refresh-token-seconds", "x"], "refresh_token_seconds must be a whole number."),
                (["add", "web", "--device-policy", "few"], "device_policy must be many, one, or empty"),
                (
                    ["add", "web", "--token-endpoint-auth-method", "basic"],
                    "--token-endpoint-auth-method must be one of none,"
                ),
                (["add", "web", "--token-endpoint-auth-method", "private_key_jwt"], "jwks is missing."),
                (["add", "web", "--token-endpoint-auth-method", "none", "--secret"], "--secret is only for apps"),
                (["add", "web", "--jwks", "/nonexistent"], "“/nonexistent” cannot be read"),
            ] {
                let outcome = try await Nightlatch.run(["admin", "apps"] + arguments + ["--database", apps.database])
                #expect(outcome.status == 2 && outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
            }
            #expect(try await apps("add", "web").status == 0)
            let again = try await apps("add", "web", "--client-name", "Other")
            #expect(again.status == 1 && again.errors.contains("The app’s id is not new"), "\(again.errors)")
            let late = try await apps("change", "web", "--client-name", "Other", "--revision", "7")
            #expect(late.status == 1 && late.errors.contains("was changed since"), "\(late.errors)")
            #expect(try await apps("show", "web", "--json").output.contains(#""client_name":"web""#))
        }
    }
}
