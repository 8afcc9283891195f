import NightlatchPostgresCluster
import Testing

@Suite("Three server processes over one database on a disk that is full for a while", .timeLimit(.minutes(10)))
struct FullDiskTests {
    /// Whether this process may mount a disk. Root may, unless it runs in a container.
    private static let mayMount = Task {
        do {
            _ = try await SmallDisk.make(mebibytes: 1)
            return true
        } catch {
            return false
        }
    }

    private static let mountable: ConditionTrait = .enabled("a disk can be mounted here") { await mayMount.value }

    @Test(
        """
        When there is room again, servers continue without a restart: nothing is done twice or lost, and the audit log \
        is whole
        """,
        mountable)
    func sqlite() async throws {
        let disk = try await SmallDisk.make(mebibytes: 24)
        try await ServerFleet.with(.sqlite, disk: disk.path) { fleet in
            try await FaultLoad.run(on: fleet) { load in
                for _ in 0..<3 {
                    try await load.waitForLogins()
                    try await load.interrupt(disk.fill, disk.makeRoom)
                }
            }
        }
    }

    @Test(
        "When PostgreSQL runs again, servers continue: nothing is done twice or lost, and the audit log is whole",
        mountable)
    func postgres() async throws {
        let disk = try await SmallDisk.make(mebibytes: 192)
        let cluster = try await PostgresCluster(in: disk.path)
        try await ServerFleet.with(.postgres, cluster: cluster) { fleet in
            try await FaultLoad.run(on: fleet) { load in
                for _ in 0..<3 {
                    try await load.waitForLogins()
                    try await load.interrupt(disk.fill) {
                        try disk.makeRoom()
                        while try await !isRunning(cluster) { try await start(cluster) }
                    }
                }
            }
        }
    }

    /// Starts PostgreSQL. It stops when there is no room for its log, and often does not restart by itself.
    private func start(_ cluster: PostgresCluster) async throws {
        do {
            try await cluster.start()
        } catch is PostgresCluster.Failed {
            // PostgreSQL is about to restart by itself.
            try Task.checkCancellation()
        }
    }

    private func isRunning(_ cluster: PostgresCluster) async throws -> Bool {
        do {
            try await cluster.query("SELECT 1")
            return true
        } catch is PostgresCluster.Failed {
            return false
        }
    }
}
