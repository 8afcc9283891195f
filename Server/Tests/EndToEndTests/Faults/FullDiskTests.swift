import NightlatchPostgresCluster
import Testing

@Suite("Three server processes over one database, on a disk that is full for a while", .timeLimit(.minutes(10)))
struct FullDiskTests {
    /// Whether this process may mount a disk, as root may that is not in a container.
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
        "Servers go on when there is room again, without a restart: nothing twice, nothing lost, the audit log whole",
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

    @Test("Servers go on when PostgreSQL does: nothing twice, nothing lost, the audit log whole", mountable)
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

    /// Without room for its log PostgreSQL stops, and often does not come back by itself.
    private func start(_ cluster: PostgresCluster) async throws {
        do {
            try await cluster.start()
        } catch is PostgresCluster.Failed {
            // It is about to come back.
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
