import NightlatchPostgresCluster
import Testing

@Suite("Three server processes over one database, under load", .timeLimit(.minutes(10)))
struct ProcessFaultTests {
    @Test(
        """
        While servers are killed and the database is restarted, killed and full, nothing is done twice or lost, no \
        request fails with 5xx once the database is back, and the audit log is whole
        """,
        arguments: ServerFleet.Kind.allCases)
    func faults(kind: ServerFleet.Kind) async throws {
        let cluster = kind == .postgres ? try await PostgresCluster(settings: ["fsync = off"]) : nil
        try await ServerFleet.with(kind, cluster: cluster) { fleet in
            try await FaultLoad.run(on: fleet) { load in
                try await load.waitForLogins()
                // Each server is killed several times, at whatever point it has reached after a number of logins.
                for kill in 0..<6 {
                    try await fleet.kill(kill % 3)
                    try await load.waitForLogins(10 + kill)
                    try await fleet.restart(kill % 3)
                }
                guard let cluster else {
                    return try await load.interrupt {
                        try await fleet.restartAll(growth: 400)
                    } _: {
                        try await fleet.restartAll()
                    }
                }
                try await load.interrupt(cluster.stop) { try await cluster.start() }
                try await load.interrupt(cluster.kill) { try await cluster.start() }
                try await load.interrupt {
                    try await fillDisk(of: fleet, in: cluster)
                } _: {
                    try await cluster.stop()
                    try await cluster.start()
                }
            }
        }
    }

    /// Fills the database's disk.
    private func fillDisk(of fleet: ServerFleet, in cluster: PostgresCluster) async throws {
        try await cluster.fillDisk(
            by: """
                INSERT INTO nightlatch.used_challenge SELECT gen_random_uuid(), '\\x00', device.id, 1900000000
                FROM generate_series(1, 500), (SELECT id FROM nightlatch.device LIMIT 1) AS device
                """, database: fleet.database)
    }
}
