/// Compares logins at the servers of two builds. The load alternates between the servers, so that other work of the
/// machine affects both.
struct LoginComparison {
    let thisBuild: LoadedServer
    let otherBuild: LoadedServer
    /// Returns the processor time that the processes of the database have used, in milliseconds; nil if the database
    /// has no processes of its own.
    var databaseTime: (() throws -> Double)?

    static let connections = 16
    private static let rounds = 12
    private static let roundTime = Duration.seconds(2)

    /// The figures of one build.
    private struct Figures {
        var logins = ServerLoad()
        /// Processor time of the database's processes, in milliseconds.
        var ofDatabase = 0.0

        var ofDatabasePerLogin: Double { ofDatabase / Double(logins.loginCount) }

        func line(_ build: String) -> String {
            "\(build): \(logins.millisecondsPerLogin) ms of CPU, \(ofDatabasePerLogin) ms of the database's, "
                + "\(logins.loginsPerSecond) a second, p50 \(logins.milliseconds(percentile: 50)) ms, "
                + "p99 \(logins.milliseconds(percentile: 99)) ms"
        }
    }

    /// Returns the names of the measurements, which begin with `prefix`.
    static func names(_ prefix: String) -> [String] {
        ["cpu", "per_second", "p50", "p99"].map { "\(prefix)_\($0)_ratio_to_other" }
    }

    func measure(_ prefix: String) async throws -> [Measurement] {
        let servers = [thisBuild, otherBuild]
        for server in servers { try await server.warmUp(connections: Self.connections, for: Self.roundTime) }
        var figures = [Figures(), Figures()]
        for round in 0..<Self.rounds {
            // Alternates the order, so that neither server is always measured first.
            for server in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let before = try databaseTime?() ?? 0
                figures[server].logins += try await servers[server].load(
                    connections: Self.connections, for: Self.roundTime)
                figures[server].ofDatabase += try (databaseTime?() ?? 0) - before
            }
        }
        print(figures[0].line("this") + "\n" + figures[1].line("other"))
        func ratio(_ figure: (ServerLoad) -> Double) -> Double { figure(figures[0].logins) / figure(figures[1].logins) }
        let names = Self.names(prefix)
        return [
            Measurement(names[0], ratio(\.millisecondsPerLogin), "", bar: 1.03, better: .lower),
            Measurement(names[1], ratio(\.loginsPerSecond), "", better: .higher),
            Measurement(names[2], ratio { $0.milliseconds(percentile: 50) }, "", better: .lower),
            Measurement(names[3], ratio { $0.milliseconds(percentile: 99) }, "", better: .lower),
        ]
    }
}
