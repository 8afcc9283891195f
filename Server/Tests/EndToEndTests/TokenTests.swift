import Foundation
import Hummingbird
import HummingbirdTesting
import Nightlatch
import NightlatchPlatform
import NightlatchResourceServer
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Tokens between the real client, a real server and a third-party server", .timeLimit(.minutes(10)))
struct TokenTests {
    private struct Context: AccessTokenRequestContext {
        var coreContext: CoreRequestContextStorage
        var accessToken: VerifiedAccessToken?

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
        }
    }

    /// Returns a server of the app that accepts tokens of `relyingParty`.
    private func resourceServer(of relyingParty: Issuer, at address: Issuer) -> some ApplicationProtocol {
        let router = Router(context: Context.self)
        router.add(
            middleware: AccessTokenMiddleware(
                ResourceServerConfiguration(relyingParty: relyingParty, server: address),
                keys: HTTPRelyingParty(issuer: relyingParty)))
        router.get("accounts") { _, context in context.accessToken?.claims.subject.rawValue ?? "nobody" }
        return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    @Test("A login is valid at another server, the backend sees it, and after the logout it is invalid")
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let session = try await device.login.logIn(device.vault)
            let address = try #require(Issuer(rawValue: "https://api.example"))
            let url = try #require(address.url(path: "/accounts"))
            try await resourceServer(of: server.issuer, at: address).test(.live) { client in
                let headers = try await session.authorization(method: "GET", url: url).headers
                var fields = HTTPFields()
                for (name, value) in headers { fields[try #require(.init(name))] = value }
                let answer = try await client.execute(uri: "/accounts", method: .get, headers: fields)
                #expect(answer.status == .ok)
                #expect(String(buffer: answer.body) == "alice")
                #expect(try await client.execute(uri: "/accounts", method: .get).status == .unauthorized)
            }

            let details = try #require(try await device.backend.introspect(.access(session.accessToken)).details)
            #expect(details.subject == session.user && details.device == session.device)
            #expect(details.methods == [.proofOfPossession, .pin, .multipleFactors])
            try await device.login.logOut(device.vault)
            #expect(try await device.backend.introspect(.access(session.accessToken)).isActive == false)
            await #expect(throws: (any Error).self) { try await session.devices() }
            _ = try await device.login.resume(device.vault).devices()
        }
    }

    @Test("The operator rotates the signing key with a command, and users stay logged in")
    func rotation() async throws {
        let folder = try TemporaryFolder()
        let database = "sqlite:\(folder.path)/server/nightlatch.sqlite"
        let masterKeyFile = folder.path + "/server/master.key"
        func rotate(_ masterKeyFile: String) async throws -> Outcome {
            try await Nightlatch.run(
                "admin", "rotate-signing-key", "--database", database, "--master-key-file", masterKeyFile)
        }
        #expect(try await rotate(masterKeyFile).status == 2)
        let (first, _) = try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let session = try await device.login.logIn(device.vault)
            let rotated = try await rotate(masterKeyFile)
            #expect(rotated.status == 0 && rotated.output.hasPrefix("key "), "\(rotated.errors)")
            #expect(try await rotate(masterKeyFile).output == rotated.output)
            _ = try await session.devices()
            return (port: server.port, device: device, session: session, key: rotated.output.split(separator: " ")[1])
        }
        try await ServerProcess.run(in: folder, port: first.port, options: ["--signing-key-days", "0"]) { server in
            let published = try await HTTPRelyingParty(issuer: server.issuer).signingKeys().keys.map(\.key.thumbprint)
            #expect(published.count == 2)
            #expect(published.last?.rawValue == String(first.key))
            // The new key is published but does not sign yet.
            _ = try await first.session.devices()
            let session = try await first.device.login.resume(first.device.vault)
            #expect(try CompactJWS(session.accessToken.rawValue).header.keyID == published.first)
        }
        #expect(try await rotate(folder.path + "/none.key").status == 2)
    }
}
