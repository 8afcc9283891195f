import Foundation
import Testing

/// Runs apps that know nothing of Nightlatch: one with the library Authlib, and Apache with mod_auth_openidc.
@Suite("Login at apps that are not ours", .timeLimit(.minutes(10)))
struct OpenIDClientTests {
    /// How the person opens the authorization endpoint, with a session.
    enum Way: String, CaseIterable, Sendable {
        case header
        case chromium
    }

    /// The way of a person without a session, who logs in on the login page.
    private static let page = "page"

    private static let hasApacheModule = FileManager.default.fileExists(
        atPath: "/usr/lib/apache2/modules/mod_auth_openidc.so")

    /// How the server sends its answer to the app.
    enum ResponseMode: String, CaseIterable, Sendable {
        case query
        case formPost = "form_post"
    }

    @Test(
        """
        An app with Authlib logs a person in, verifies the ID token, refreshes, revokes, introspects, pushes its \
        request and logs out, without credentials, with a secret and with a key
        """,
        arguments: ServerFleet.Kind.allCases, Way.allCases)
    func authlib(database: ServerFleet.Kind, way: Way) async throws {
        let outcome = try await OpenIDServer.run(over: database) { server in
            try await OpenIDServer.runPython("OpenID/authlib_client.py", [server.settings, way.rawValue])
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 12)
    }

    @Test(
        """
        Apache with mod_auth_openidc protects a page: a person logs in, tokens are refreshed and introspected, and a \
        logout ends the session
        """,
        .enabled(if: hasApacheModule, "mod_auth_openidc is Debian's package libapache2-mod-auth-openidc"),
        arguments: ServerFleet.Kind.allCases,
        [(Way.header, ResponseMode.query), (.chromium, .query), (.chromium, .formPost)])
    func apache(database: ServerFleet.Kind, how: (way: Way, mode: ResponseMode)) async throws {
        let outcome = try await OpenIDServer.run(over: database) { server in
            try await OpenIDServer.runPython(
                "OpenID/apache.py", [server.settings, how.way.rawValue, how.mode.rawValue])
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 6)
    }

    @Test(
        """
        An app with Authlib logs in a browser without a session: the command `nightlatch` confirms on the login page; \
        later visits need no phone until a logout; a rejection and a wrong number log nobody in
        """,
        arguments: ServerFleet.Kind.allCases)
    func authlibLoginPage(database: ServerFleet.Kind) async throws {
        let outcome = try await OpenIDServer.run(over: database) { server in
            try await OpenIDServer.runPython("OpenID/authlib_client.py", [server.settings, Self.page])
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 7)
    }

    @Test(
        """
        Apache with mod_auth_openidc shows its page to a browser after a login on the login page, which the command \
        `nightlatch` confirms, and again after a logout and a rejection
        """,
        .enabled(if: hasApacheModule, "mod_auth_openidc is Debian's package libapache2-mod-auth-openidc"),
        arguments: ResponseMode.allCases)
    func apacheLoginPage(mode: ResponseMode) async throws {
        let outcome = try await OpenIDServer.run(over: .sqlite) { server in
            try await OpenIDServer.runPython("OpenID/apache.py", [server.settings, Self.page, mode.rawValue])
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 5)
    }
}
