import Crypto
import Foundation
import GRDB
import NightlatchServerProcess
import NightlatchWire

/// Compares the processor time of a code flow of OpenID Connect (authorization, tokens, ID token) with that of a login
/// by a device, at one server over SQLite.
struct CodeFlowBenchmark: BenchmarkGroup {
    let names = ["code_flow_server_cpu_ratio_to_login"]

    private let connections = 16
    private let rounds = 6
    private let roundTime = Duration.seconds(2)

    func measure() async throws -> [Measurement] {
        let journeys =
            FileManager.default.temporaryDirectory.path + "/nightlatch-bench-journeys-\(UUID().uuidString).json"
        try Data(#"{"readyMade": ["login"]}"#.utf8).write(to: URL(fileURLWithPath: journeys))
        defer { removeTemporaryFile(journeys) }
        let servers = try BenchmarkServers(
            ["1k"], arguments: ["--address-rate", "0", "--account-rate", "0", "--journeys", journeys])
        defer { servers.clearAway() }
        let devices = try (0..<1000).map(LoadDevice.init)
        let database = servers.folders[0] + "/nightlatch.sqlite"
        try SeededDatabase(deviceCount: 1000, devices: devices).make(at: database)
        let flow = try CodeFlow(users: devices.map(\.user), inDatabaseAt: database)
        let server = try LoadedServer(servers.processes[0], devices: devices)
        try await server.warmUp(connections: connections, for: roundTime)
        _ = try await server.load(connections: connections, for: roundTime, flow.run)
        var (logins, flows) = (ServerLoad(), ServerLoad())
        for _ in 0..<rounds {
            logins += try await server.load(connections: connections, for: roundTime)
            flows += try await server.load(connections: connections, for: roundTime, flow.run)
        }
        return [
            Measurement(
                "code_flow_server_cpu_ratio_to_login", flows.millisecondsPerLogin / logins.millisecondsPerLogin, "",
                bar: 2, better: .lower)
        ]
    }

    private func removeTemporaryFile(_ path: String) {
        // If this fails, the file stays in a temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Code flows of a public app with the sessions of many users.
private struct CodeFlow: Sendable {
    private static let redirect = "com.example.app:/callback"
    private let sessions: [String]
    private let verifier = Challenge.random().rawValue
    private let challenge: String

    /// Registers the app and begins the sessions.
    init(users: [UserID], inDatabaseAt path: String) throws {
        sessions = users.map { _ in Challenge.random().rawValue }
        challenge = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        let now = NumericDate(Date()).secondsSince1970
        let queue = try DatabaseQueue(path: path)
        let pairs = zip(users, sessions)
        try queue.write { database in
            try database.execute(
                sql: "INSERT INTO app (id, revision, document) VALUES ('bench', 1, ?)",
                arguments: [
                    #"{"client_id":"bench","client_name":"Bench","redirect_uris":["\#(Self.redirect)"]}"#
                ])
            for (user, session) in pairs {
                try database.execute(
                    sql: """
                        INSERT INTO journey_session (token_hash, user_id, journey, began_at, expires_at)
                        VALUES (?, ?, 'login', ?, ?)
                        """,
                    arguments: [Data(SHA256.hash(data: Data(session.utf8))), user.rawValue, now, now + 3600])
            }
        }
        try queue.close()
    }

    /// Gets a code and exchanges it.
    func run(_ number: Int, over server: inout LoadConnection) async throws {
        let path =
            "/oauth/authorize?client_id=bench&response_type=code&scope=openid&state=s&nonce=n"
            + "&redirect_uri=\(Self.redirect)&code_challenge=\(challenge)&code_challenge_method=S256"
        let (head, _) = try await server.exchange(
            [], as: "text/plain", to: path, by: "GET",
            headers: "iPlanetDirectoryPro: \(sessions[number % sessions.count])\r\n")
        guard let start = head.range(of: "code="), let end = head[start.upperBound...].firstIndex(of: "&") else {
            throw LoadConnection.BadAnswer(description: head)
        }
        let form =
            "grant_type=authorization_code&client_id=bench&redirect_uri=\(Self.redirect)&code_verifier=\(verifier)"
            + "&code=\(head[start.upperBound..<end])"
        let tokens = try await server.post(
            Array(form.utf8), as: "application/x-www-form-urlencoded", to: .token)
        guard try StrictJSON.decode(JSONValue.self, from: tokens)["id_token"] != nil else {
            throw LoadConnection.BadAnswer(description: "no ID token")
        }
    }
}
