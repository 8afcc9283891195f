import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchPlatform
import NightlatchTesting
import Synchronization
import Testing

/// Gets tokens with the client's `OidcModule` from the server's provider, over a socket.
@Suite("Tokens of our client at our server", .timeLimit(.minutes(10)))
struct JourneyTokenTests {
    /// A device: its stores remain when the app starts again.
    private struct Device: Sendable {
        let url: String
        let folder: String
        let transport: LosingTransport

        func journey() -> Journey {
            Journey.createJourney { config in
                config.serverUrl = url + "/am"
                config.realm = OpenIDServer.realm
                config.transport = transport
                config.secureStore = { FileStore(path: "\(folder)/\($0)") }
                config.module(OidcModule.config) { oidc in
                    oidc.clientId = "demo"
                    oidc.scopes = ["openid", "profile"]
                    oidc.redirectUri = OpenIDServer.redirectURI
                    oidc.discoveryEndpoint =
                        "\(url)/am/oauth2/\(OpenIDServer.realm)/.well-known/openid-configuration"
                }
            }
        }

        /// Logs in by password.
        func logIn(_ journey: Journey, as user: String = "alice") async throws -> any User {
            let password = try #require(OpenIDServer.users[user])
            var node = await journey.start("login") { $0.forceAuth = true }
            while let step = node as? ContinueNode {
                for callback in step.callbacks {
                    (callback as? NameCallback)?.name = user
                    (callback as? PasswordCallback)?.password = password
                }
                node = await step.next()
            }
            try #require(node is SuccessNode)
            return try #require(await journey.journeyUser())
        }
    }

    /// A network that can lose an answer after the server has given it.
    private final class LosingTransport: HTTPTransport {
        private let base = URLSessionTransport()
        private let loses = Mutex(false)

        func loseNextAnswer() { loses.withLock { $0 = true } }

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            let response = try await base.send(request)
            let isLost = loses.withLock { loses in
                defer { loses = false }
                return loses
            }
            guard !isLost else { throw .unreachable(reason: "lost") }
            return response
        }

        func forgetCookies() { base.forgetCookies() }
    }

    private func withDevice(
        _ kind: ServerFleet.Kind,
        _ body: @Sendable (Device) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await OpenIDServer.run(over: kind) { server in
            try await body(Device(url: server.url, folder: folder.path, transport: LosingTransport()))
        }
    }

    @Test(
        "A login gives tokens and the profile; they are refreshed, also after a lost answer and a restart, and revoked",
        arguments: ServerFleet.Kind.allCases)
    func story(kind: ServerFleet.Kind) async throws {
        try await withDevice(kind) { device in
            let journey = device.journey()
            let user = try await device.logIn(journey)
            let first = try await user.token().get()
            #expect(first.tokenType == "Bearer" && first.scope == "openid profile" && first.idToken != nil)
            #expect(try await user.userinfo(cache: false).get()["sub"] as? String == "alice")
            let second = try await user.refresh().get()
            #expect(second.accessToken != first.accessToken && second.refreshToken != first.refreshToken)

            device.transport.loseNextAnswer()
            await #expect(throws: OidcError.self) { try await user.refresh().get() }
            #expect(try await user.token().get() == second)
            let third = try await user.refresh().get()
            #expect(third.refreshToken != second.refreshToken)

            let restarted = device.journey()
            await restarted.deleteSession()
            let again = try #require(await restarted.journeyUser())
            #expect(again.session == nil)
            #expect(try await again.token().get() == third)
            let fourth = try await again.refresh().get()
            #expect(try await again.userinfo(cache: false).get()["sub"] as? String == "alice")

            await again.revoke()
            #expect(await restarted.journeyUser() == nil)
            let left = Token(
                accessToken: fourth.accessToken, tokenType: nil, scope: nil, expiresIn: 300, refreshToken: nil,
                idToken: nil)
            #expect(try await status(of: left, at: device) == 401)
        }
    }

    @Test("One session gives tokens many times, and its end at the server ends the tokens")
    func endings() async throws {
        try await withDevice(.sqlite) { device in
            let journey = device.journey()
            let user = try await device.logIn(journey)
            let first = try await user.token().get()
            await user.revoke()
            #expect(try await status(of: first, at: device) == 401)
            let second = try await user.token().get()
            #expect(try await status(of: second, at: device) == 200)

            let bob = try await device.logIn(journey, as: "bob")
            let third = try await bob.token().get()
            #expect(try await bob.userinfo(cache: true).get()["sub"] as? String == "bob")
            #expect(try await status(of: second, at: device) == 401, "the earlier user's tokens are revoked")

            try await journey.signOff().get()
            #expect(try await status(of: third, at: device) == 401)
            #expect(await journey.session() == nil)
            #expect(await device.journey().journeyUser() == nil)
        }
    }

    /// The status of a request for user information with an access token.
    private func status(of token: Token, at device: Device) async throws -> Int {
        let url = try #require(URL(string: "\(device.url)/am/oauth2/\(OpenIDServer.realm)/userinfo"))
        let request = HTTPTransportRequest(
            method: "GET", url: url, headers: ["Authorization": "Bearer \(token.accessToken)"], body: nil,
            timeout: .seconds(30))
        return try await device.transport.send(request).status
    }
}
