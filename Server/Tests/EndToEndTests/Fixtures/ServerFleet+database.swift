import Foundation
import GRDB
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerProcess
import Subprocess
import Testing

// Access to the database of a fleet without its servers.
extension ServerFleet {
    /// The address of the database.
    var databaseAddress: String { cluster?.address(database: database) ?? "sqlite:\(file)" }

    /// Backs up the database while the servers run, as `docs/operations.md` describes.
    func backUp() async throws {
        guard cluster == nil else {
            return try await Self.run(
                "pg_dump", "--format=custom", "--schema=nightlatch", "--file=\(folder.path)/backup", databaseAddress)
        }
        let copied = try await Nightlatch.run(
            ["admin", "backup", folder.path + "/backup", "--database", databaseAddress])
        try #require(copied.status == 0, "\(copied)")
    }

    /// Stops the servers, and replaces the database with the backup.
    func restore() async throws {
        let servers = servers
        try await Self.blocking { for server in servers { server.stop() } }
        if let cluster {
            try await cluster.query("DROP SCHEMA nightlatch CASCADE", database: database)
            try await Self.run(
                "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--dbname=\(databaseAddress)",
                folder.path + "/backup")
        } else {
            let restored = try await Nightlatch.run(
                ["admin", "restore", folder.path + "/backup", "--database", databaseAddress])
            try #require(restored.status == 0, "\(restored)")
        }
    }

    /// Accepts the restored database with the heads of all servers.
    func acceptRestore() async throws -> Outcome {
        try await Nightlatch.run(["admin", "accept-restore"] + optionsForHeads)
    }

    /// Starts all servers again, also those that have ended by themselves.
    func startAgain() async throws {
        let servers = servers
        try await Self.blocking { for server in servers { server.stop() } }
        for number in servers.indices { try await restart(number) }
    }

    private static func run(_ program: String, _ arguments: String...) async throws {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), output: .discarded, error: .string(limit: 1 << 16))
        try #require(result.terminationStatus == .exited(0), "\(program): \(result.standardError)")
    }

    /// Returns a connection to the SQLite file that waits up to `seconds` for a writer, because the servers write at
    /// any time.
    func sqlite(waiting seconds: Double = 5) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(seconds)
        return try DatabaseQueue(path: file, configuration: configuration)
    }

    /// Verifies the audit log against all heads that the servers have exported.
    func verifyAudit() async throws -> Outcome {
        try await Nightlatch.run(["audit", "verify"] + optionsForHeads)
    }

    private var optionsForHeads: [String] {
        ["--database", databaseAddress, "--master-key-file", folder.path + "/0/master.key"]
            + servers.indices.flatMap { ["--heads", "\(folder.path)/heads-\($0)"] }
    }

    /// The table with the families of refresh tokens.
    var tableOfFamilies: String { cluster == nil ? "device" : "refresh_family" }

    /// Returns the values of a column: hashes as hexadecimal digits and the bodies of audit entries as JSON.
    func column(_ name: String, of table: String) async throws -> [String] {
        if let cluster {
            let value =
                switch name {
                case "body": "convert_from(body, 'UTF8')"
                case _ where name.hasSuffix("hash"): "encode(\(name), 'hex')"
                default: name
                }
            let lines = try await cluster.query("SELECT \(value) FROM nightlatch.\(table)", database: database)
            return lines.split(separator: "\n").map(String.init)
        }
        let value = name.hasSuffix("hash") ? "lower(hex(\(name)))" : name
        return try await sqlite().read { database in
            try String.fetchAll(database, sql: "SELECT \(value) FROM \(table)")
        }
    }

    /// Returns the events in the audit log.
    func auditEvents() async throws -> [AuditEvent] {
        try await column("body", of: "audit_entry").map { body in
            try JSONDecoder().decode(AuditEvent.self, from: Data(body.utf8))
        }
    }
}
