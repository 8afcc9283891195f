import Crypto
import Foundation
import NightlatchPlatform
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchWire
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A server process with journeys and registered apps, for clients of OpenID Connect that are not ours.
struct OpenIDServer {
    let url: String
    /// The file of `Server/Tests/OpenID` that describes the server, its first user and the apps.
    let settings: String

    static let realm = "alpha"
    static let users = ["alice": "correct horse battery", "bob": "battery staple horse"]
    /// The journeys that the replay of the vendor's SDKs uses: ready-made ones, and three of `Ping/journeys.json`.
    static let journeys = ["login", "bind", "sign", "usernameless-sign", "message", "choice", "attributes"]
    /// The redirect URI of the apps that the replay of the vendor's SDKs plays.
    static let redirectURI = "com.example.app:/oauth2redirect"

    /// Runs a server over a new database without rate limits, and calls `body` with it.
    static func run<Value: Sendable>(
        over kind: ServerFleet.Kind, _ body: (OpenIDServer) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        var database = "sqlite:\(folder.path)/nightlatch.sqlite"
        if kind == .postgres {
            let cluster = try await PostgresCluster.shared
            database = cluster.address(database: try await cluster.createDatabase())
        }
        let port = try LoopbackPort.free()
        let apps = try RegisteredApps(port: port)
        try await apps.register(in: database)
        let options = [
            "--database", database, "--journeys", PythonEnvironment.root + "/Server/Tests/Ping/journeys.json",
            "--address-rate", "0", "--account-rate", "0",
        ]
        let (value, status) = try await ServerProcess.run(in: folder, options: options) { server in
            let backend = HTTPBackend(issuer: server.issuer, key: try .load(from: server.folder + "/backend.key"))
            for (user, password) in users {
                _ = try await backend.setPassword(
                    Credentials(
                        user: try #require(UserID(rawValue: user)),
                        password: try #require(Password(rawValue: password))))
            }
            for user in users.keys { try await setProfile(of: user, in: database) }
            let settings = folder.path + "/settings.json"
            try JSONEncoder().encode(Settings(server, port: port, apps)).write(to: URL(fileURLWithPath: settings))
            return try await body(OpenIDServer(url: server.url, settings: settings))
        }
        #expect(status == 0)
        return value
    }

    /// Sets the names and the verified address of a user, as an operator does.
    private static func setProfile(of user: String, in database: String) async throws {
        let outcome = try await Nightlatch.run(
            "admin", "users", "set-profile", user, "--name", "\(user) Example", "--given-name", user, "--family-name",
            "Example", "--email", "\(user)@example.com", "--email-verified", "--database", database)
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    /// Runs a program of `Server/Tests` in the tests' Python environment.
    static func runPython(_ program: String, _ arguments: [String] = []) async throws -> Outcome {
        let result = try await Subprocess.run(
            .path(FilePath(PythonEnvironment.python)),
            arguments: Arguments(["-B", PythonEnvironment.root + "/Server/Tests/" + program] + arguments),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return Outcome(
            status: result.terminationStatus.number, output: result.standardOutput, errors: result.standardError)
    }

    private struct Settings: Encodable {
        let issuer: Issuer
        let journeys: String
        let cookie = "iPlanetDirectoryPro"
        let user = "alice"
        let password = users["alice"]
        let command = Nightlatch.path
        let backend_key_file: String
        /// A free port, at which the apps' pages after a logout are.
        let port: Int
        let apps: [String: RegisteredApps.Settings]

        init(_ server: ServerProcess, port: Int, _ apps: RegisteredApps) {
            issuer = server.issuer
            journeys = server.issuer.rawValue + "/am/json/realms/root/realms/" + realm
            backend_key_file = server.folder + "/backend.key"
            self.port = port
            self.apps = apps.settings
        }
    }
}

/// The apps of an ``OpenIDServer`` and the credentials of each.
private struct RegisteredApps {
    private let apps: [App]
    let settings: [String: Settings]

    /// The id of an app and its credentials.
    struct Settings: Encodable {
        let client_id: String
        var client_secret: String?
        var private_key: PrivateKey?
    }

    /// A private key as JWK.
    struct PrivateKey: Encodable {
        let kty = "EC"
        let crv = "P-256"
        let x: String
        let y: String
        let d: String

        init(_ key: P256.Signing.PrivateKey) {
            let coordinates = Array(key.publicKey.rawRepresentation)
            x = Base64URL.encode(coordinates.prefix(32))
            y = Base64URL.encode(coordinates.suffix(32))
            d = Base64URL.encode(Array(key.rawRepresentation))
        }
    }

    /// - Parameter port: The port that logout URIs name.
    init(port: Int) throws {
        let (secret, key) = (Challenge.random().rawValue, P256.Signing.PrivateKey())
        let publicKey = try #require(ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation)))
        func app(_ id: String, _ uri: String, _ change: (inout App) throws -> Void = { _ in }) throws -> App {
            var app = App(
                id: try #require(ClientID(rawValue: id)), name: try #require(AppName(rawValue: id)),
                redirectURIs: [try #require(RedirectURI(rawValue: uri))])
            try change(&app)
            return app
        }
        let callback = "http://127.0.0.1/callback"
        let goodbye = try #require(RedirectURI(rawValue: "http://127.0.0.1:\(port)/goodbye.html"))
        apps = [
            try app("public", callback) { $0.logoutURIs = [goodbye] },
            try app("confidential", callback) { $0.authentication = .secret(AppSecretHash(of: secret)) },
            try app("keyed", callback) { $0.authentication = .privateKey(JWKSet(keys: [.ec(publicKey)])) },
            try app("site", "http://127.0.0.1/protected/callback") {
                $0.authentication = .secret(AppSecretHash(of: secret))
                $0.logoutURIs = [goodbye]
            },
            try app("demo", OpenIDServer.redirectURI),
            try app("demo-other", OpenIDServer.redirectURI),
            try app("demo-dpop", OpenIDServer.redirectURI) { $0.tokenKind = .dpop },
        ]
        settings = [
            "public": Settings(client_id: "public"),
            "confidential": Settings(client_id: "confidential", client_secret: secret),
            "keyed": Settings(client_id: "keyed", private_key: PrivateKey(key)),
            "site": Settings(client_id: "site", client_secret: secret),
        ]
    }

    func register(in database: String) async throws {
        if database.hasPrefix("sqlite:") {
            let store = try SQLiteStore(path: String(database.dropFirst("sqlite:".count)))
            try await register(in: store)
            try store.close()
        } else {
            let store = try await PostgresStore.open(try #require(PostgresAddress(database)))
            try await register(in: store)
            store.close()
        }
    }

    private func register(in store: some RelyingPartyStore) async throws {
        for app in apps {
            let outcome = try await store.putApp(app, replacing: nil, by: .operator)
            try #require(outcome == .stored(StoredApp(app: app, revision: 1)))
        }
    }
}
