import Foundation
import NightlatchPostgresCluster
import NightlatchServerProcess
import NightlatchWire

/// Measures the server's processor time for a page and for a search of the console, with 1,000,000 devices, users and
/// audit entries. Each figure is that of the most expensive page or search.
struct ConsoleBenchmark: BenchmarkGroup {
    let names = [
        "console_page_cpu_ms_1M_devices", "console_search_cpu_ms_1M_devices",
        "console_page_cpu_ms_1M_devices_postgres", "console_search_cpu_ms_1M_devices_postgres",
        "console_cpu_ms_of_postgres",
    ]

    private static let count = 1_000_000
    private static let bar = 50.0
    /// The number of requests for each page. The system counts processor time in ticks of 10 ms.
    private static let rounds = 40

    private static let pages = [
        "", "/users", "/users?from=u", "/devices", "/devices?from=m", "/devices?status=active",
        "/devices?status=blocked&app=nightlatch", "/devices?app=nightlatch&from=t", "/transactions", "/remote-logins",
        "/audit", "/audit?kind=logged_in",
    ]
    private static let searches = [
        "/find?text=USER-5", "/find?text=anna", "/find?text=abcd", "/users?prefix=USER-99", "/devices?name=QNNA",
        "/devices?name=nobody", "/devices?id=abcd", "/devices?id=abcd&status=blocked",
        "/devices?name=anna&status=active&app=nightlatch", "/audit?user=user-5",
        "/audit?user=user-5&kind=console_signed_in",
    ]

    func measure() async throws -> [Measurement] { try await sqlite() + postgres() }

    private func sqlite() async throws -> [Measurement] {
        let servers = try BenchmarkServers(["console"], arguments: Self.arguments(keyPath))
        defer { servers.clearAway() }
        let path = servers.folders[0] + "/nightlatch.sqlite"
        try SeededDatabase(deviceCount: Self.count, devices: [LoadDevice(number: 0)], areNamed: true).make(at: path)
        let costs = try await costs(of: servers.processes[0])
        return Self.measurements(costs, suffix: "")
    }

    private func postgres() async throws -> [Measurement] {
        let cluster = try await PostgresCluster()
        defer { withExtendedLifetime(cluster) {} }
        let database = try await cluster.createDatabase()
        let address = cluster.address(database: database)
        _ = try await BoundLoadDevices(count: 1, address: address).make()
        try await cluster.query(PostgresSeeds.devices(Self.count, areNamed: true), database: database)
        try await cluster.query(PostgresSeeds.auditEntries(Self.count), database: database)
        try await cluster.query("VACUUM (ANALYZE)", database: database)
        let servers = try BenchmarkServers(
            ["console-postgres"], databases: [address], arguments: Self.arguments(keyPath))
        defer { servers.clearAway() }
        let process = try cluster.processID()
        let before = try ProcessorTime.ofFamily(of: process)
        let costs = try await costs(of: servers.processes[0])
        let requestCount = Double((Self.pages.count + Self.searches.count) * (Self.rounds + 1))
        let ofPostgres = (try ProcessorTime.ofFamily(of: process) - before) / requestCount
        return Self.measurements(costs, suffix: "_postgres")
            + [Measurement(names[4], ofPostgres, "ms", better: .lower)]
    }

    private let keyPath = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString).key"

    private static func arguments(_ keyPath: String) -> [String] {
        ["--address-rate", "0", "--account-rate", "0", "--admin-key-file", keyPath]
    }

    private static func measurements(_ costs: (page: Double, search: Double), suffix: String) -> [Measurement] {
        [
            Measurement("console_page_cpu_ms_1M_devices" + suffix, costs.page, "ms", bar: bar, better: .lower),
            Measurement("console_search_cpu_ms_1M_devices" + suffix, costs.search, "ms", bar: bar, better: .lower),
        ]
    }

    /// Starts the server, signs in, and returns the processor time of the most expensive page and search.
    private func costs(of server: ServerProcess) async throws -> (page: Double, search: Double) {
        defer { _ = unsafe unlink(keyPath) }
        let issuer = try server.start(port: 0)
        guard let process = server.processID, let port = URL(string: issuer.rawValue)?.port else {
            throw CocoaError(.coderInvalidValue)
        }
        let key = try String(contentsOfFile: keyPath, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        var costs: (page: Double, search: Double) = (0, 0)
        try await LoadConnection.run(port: port) { connection in
            let cookie = try await Self.signIn(with: key, &connection)
            costs.page = try await Self.greatestCost(of: Self.pages, by: process, cookie, &connection)
            costs.search = try await Self.greatestCost(of: Self.searches, by: process, cookie, &connection)
        }
        return costs
    }

    private static func signIn(with key: String, _ connection: inout LoadConnection) async throws -> String {
        let (head, body) = try await connection.exchange(
            Array("key=\(key)".utf8), as: "application/x-www-form-urlencoded", to: "/console/sign-in",
            headers: "Sec-Fetch-Site: same-origin\r\n")
        guard let cookie = head.firstMatch(of: /(?i)set-cookie: ([^;\r]+)/) else {
            throw LoadConnection.BadAnswer(description: head + String(decoding: body, as: UTF8.self))
        }
        return String(cookie.1)
    }

    private static func greatestCost(
        of paths: [String], by process: Int32, _ cookie: String, _ connection: inout LoadConnection
    ) async throws -> Double {
        var greatest = 0.0
        for path in paths {
            var start = 0.0
            // The first request fills caches.
            for round in 0...rounds {
                if round == 1 { start = try ProcessorTime.of(process) }
                let (head, body) = try await connection.exchange(
                    [], as: "text/plain", to: "/console" + path, by: "GET", headers: "Cookie: \(cookie)\r\n")
                guard head.hasPrefix("HTTP/1.1 200 ") else {
                    throw LoadConnection.BadAnswer(
                        description: path + "\n" + head + String(decoding: body, as: UTF8.self))
                }
            }
            let cost = (try ProcessorTime.of(process) - start) / Double(rounds)
            print("/console\(path): \(cost) ms")
            greatest = max(greatest, cost)
        }
        return greatest
    }
}
