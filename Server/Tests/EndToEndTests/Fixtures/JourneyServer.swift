import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchWire
import Testing

/// A relying party with journeys on a socket in this process.
///
/// Passwords cost little. Its users are alice, bob and one who never has a key.
enum JourneyServer {
    /// The folder of the independent client and its journeys.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("JourneyClient").path

    static let password = "correct horse"

    /// Runs a server over an empty SQLite file, and calls `body` with its port.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path + "/store.sqlite")
        let value = try await run(over: store, body)
        try store.close()
        return value
    }

    private static func run<Value: Sendable>(
        over store: SQLiteStore,
        _ body: @escaping @Sendable (_ port: Int) async throws -> Value
    ) async throws -> Value {
        var configuration = RelyingPartyConfiguration(
            issuer: try #require(Issuer(rawValue: "https://login.example")))
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        configuration.limits.perAddress = nil
        let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/journeys.json"))
        configuration.journeys = try JourneyConfiguration(file)
        let backendKey = try #require(BackendKey(rawValue: "the-backend-key"))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = try await buildApplication(
            configuration: configuration, store: store, masterKey: .random(), backendKey: backendKey, logger: logger)
        return try await application.test(.live) { client in
            for user in ["alice", "bob", "without-keys"] {
                let credentials = Credentials(
                    user: try #require(UserID(rawValue: user)), password: try #require(Password(rawValue: password)))
                let response = try await client.execute(
                    uri: Route.setPassword.path, method: .post,
                    headers: [
                        .authorization: "Bearer " + backendKey.rawValue, .contentType: "application/json",
                    ],
                    body: ByteBuffer(bytes: StrictJSON.encode(credentials)))
                #expect(response.status == .ok)
            }
            return try await body(try #require(client.port))
        }
    }
}
