import Foundation
import Nightlatch
import NightlatchJourney
import Testing

@Suite("An app with two servers")
struct MixUpTests {
    /// Two servers, each at its own host.
    private struct Servers: HTTPTransport {
        let honest = TokenServer(host: "honest.example")
        let attacker = TokenServer(host: "attacker.example")

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            try await (request.url.host() == honest.host ? honest : attacker).send(request)
        }
    }

    private let servers = Servers()

    /// Logs in at `server`, and returns the user.
    private func user(at server: TokenServer) async throws -> any User {
        let journey = Journey.createJourney { [servers] config in
            config.serverUrl = "https://\(server.host)/am"
            config.realm = "alpha"
            config.cookie = "386c0d288bac4b9"
            config.transport = servers
            config.module(OidcModule.config) { oidc in
                oidc.clientId = "app"
                oidc.scopes = ["openid"]
                oidc.redirectUri = TokenServer.redirectUri
                oidc.discoveryEndpoint = "\(server.issuer)/.well-known/openid-configuration"
                oidc.now = { Date(timeIntervalSince1970: 1_790_000_000) }
            }
        }
        try #require(await journey.start("Login") is SuccessNode)
        return try #require(await journey.journeyUser())
    }

    @Test(
        "A code in a redirect that names the other server, or none, is refused and sent to no server",
        arguments: [
            ("honest.example", "iss=https%3A%2F%2Fattacker.example%2Fam%2Foauth2%2Falpha"),
            ("attacker.example", "iss=https%3A%2F%2Fhonest.example%2Fam%2Foauth2%2Falpha"),
            ("honest.example", ""), ("attacker.example", "iss="),
        ])
    func mixUp(host: String, iss: String) async throws {
        let all = [servers.honest, servers.attacker]
        let asked = try #require(all.first { $0.host == host })
        let user = try await user(at: asked)
        asked.script(.authorize, .redirect("code=code-1&state=STATE&\(iss)"))
        await #expect(throws: OidcError.self) { try await user.token().get() }
        #expect(asked.requests(to: .authorize).count == 1)
        #expect(all.allSatisfy { $0.requests(to: .token).isEmpty })
        // The code in a redirect that names the server is sent to that server alone.
        #expect(try await user.token().get().accessToken == "access-1")
        #expect(all.map { $0.requests(to: .token).count } == all.map { $0.host == host ? 1 : 0 })
    }
}
