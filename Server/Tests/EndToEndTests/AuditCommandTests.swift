import Foundation
import GRDB
import NightlatchSQLite
import Testing

@Suite("The audit log at the command line", .timeLimit(.minutes(10)))
struct AuditCommandTests {
    /// A change by an attacker who can write the database but has no key.
    enum Tampering: String, CaseIterable, Sendable {
        case change =
            "UPDATE audit_entry SET body = CAST(replace(CAST(body AS TEXT), 'backend', 'device') AS BLOB) WHERE sequence = 2"
        case otherUser =
            "UPDATE audit_entry SET personal = CAST(replace(personal, 'alice', 'mallo') AS BLOB) WHERE sequence = 2"
        case erasing = "UPDATE audit_entry SET personal = NULL, user_id = 'deleted-mallory' WHERE sequence = 2"
        case removal = "DELETE FROM audit_entry WHERE sequence = 2"
        case reordering =
            """
            UPDATE audit_entry SET sequence = 100 WHERE sequence = 2;
            UPDATE audit_entry SET sequence = 2 WHERE sequence = 3;
            UPDATE audit_entry SET sequence = 3 WHERE sequence = 100
            """
        case hiding = "UPDATE audit_entry SET user_id = NULL WHERE sequence = 2"
        case backdating = "UPDATE audit_entry SET at = 0 WHERE sequence = 2"
        case planting =
            """
            INSERT INTO audit_entry SELECT chain, -7, at, user_id, body, hash, personal
            FROM audit_entry WHERE sequence = 2
            """
        case plantingElsewhere =
            """
            INSERT INTO audit_entry SELECT 'a chain' || char(27), sequence, at, user_id, body, hash, personal
            FROM audit_entry WHERE sequence = 2
            """
        case plantingNoText =
            """
            INSERT INTO audit_entry SELECT CAST(x'ff' AS TEXT), sequence, at, user_id, body, hash, personal
            FROM audit_entry WHERE sequence = 2
            """
        case unreadableHash = "UPDATE audit_entry SET hash = 'AAAA' WHERE sequence = 2"
        case emptying = "UPDATE audit_entry SET body = x'' WHERE sequence = 2"
        case cut = "DELETE FROM audit_entry WHERE sequence > 2"
        case theft = "DELETE FROM audit_entry"

        /// The finding that the command prints, with the entry's position.
        var finding: Regex<Substring> {
            switch self {
            case .erasing: #/pseudonym "deleted-mallory": 1 entries lack their user; deletions of users explain 0/#
            case .change, .otherUser: #/chain \S+, entry 2: this entry or the previous one was changed/#
            case .removal: #/chain \S+, entry 2: removed/#
            case .hiding, .backdating: #/chain \S+, entry 2: indexed under the wrong time or user/#
            case .reordering, .emptying: #/chain \S+, entry 2: does not belong at this position/#
            case .planting: #/chain \S+, entry -7: does not belong at this position/#
            case .plantingElsewhere: #/chain "a chain\\u\{1B\}", entry 2: belongs to no chain that a store wrote/#
            case .plantingNoText: #/chain "\u{FFFD}", entry 2: belongs to no chain that a store wrote/#
            case .unreadableHash: #/chain \S+, entry 2: this entry or the previous one was changed/#
            case .cut: #/chain \S+: ends at entry 2; an exported head has \d+/#
            case .theft: #/chain \S+: missing; an exported head has \d+ entries/#
            }
        }
    }

    private func verify(_ folder: TemporaryFolder, heads: [String] = ["heads"]) async throws -> Outcome {
        let server = folder.path + "/server"
        return try await Nightlatch.run(
            [
                "audit", "verify", "--database", "sqlite:\(server)/nightlatch.sqlite", "--master-key-file",
                server + "/master.key",
            ]
                + heads.flatMap { ["--heads", "\(folder.path)/\($0)"] })
    }

    /// Runs a server that exports its heads; a device binds and logs in.
    private func runServer(in folder: TemporaryFolder) async throws {
        try await ServerProcess.run(in: folder, options: ["--audit-heads-file", folder.path + "/heads"]) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
        }
    }

    @Test("A changed, removed, reordered or truncated entry is found, with its position", arguments: Tampering.allCases)
    func tampering(_ tampering: Tampering) async throws {
        let folder = try TemporaryFolder()
        try await runServer(in: folder)
        let whole = try await verify(folder)
        #expect(whole.status == 0 && whole.output.hasSuffix("whole\n"), "\(whole)")

        let database = try DatabaseQueue(path: folder.path + "/server/nightlatch.sqlite")
        try await database.write { database in
            try database.execute(
                sql: "DROP TRIGGER audit_entry_stays; DROP TRIGGER audit_entry_is_final; \(tampering.rawValue)")
        }
        try database.close()
        let found = try await verify(folder)
        #expect(found.status == 1 && found.output.contains(tampering.finding), "\(found)")
        #expect(found.errors.contains("damaged or was changed"), "\(found)")
    }

    @Test("A restored backup is found only by heads that were exported after it")
    func rolledBack() async throws {
        let folder = try TemporaryFolder()
        try await runServer(in: folder)
        let path = folder.path + "/server/nightlatch.sqlite"
        try FileManager.default.copyItem(atPath: path, toPath: path + ".backup")
        try await runServer(again: folder)
        let early = try await verify(folder)
        #expect(early.status == 0, "\(early)")
        for name in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: name) {
            try FileManager.default.removeItem(atPath: name)
        }
        try FileManager.default.moveItem(atPath: path + ".backup", toPath: path)
        let found = try await verify(folder)
        #expect(
            found.status == 1 && found.output.contains(#/chain \S+: missing; an exported head has \d+ entr/#),
            "\(found)")
        #expect(try await verify(folder, heads: []).status == 0)
    }

    @Test(
        "An emptied log is found without heads if the database is in use; the empty log of a new database is accepted")
    func emptied() async throws {
        let folder = try TemporaryFolder()
        try await runServer(in: folder)
        let intact = try await verify(folder, heads: [])
        #expect(intact.status == 0 && intact.output.contains("the hashes are consistent; without --heads"), "\(intact)")
        #expect(!intact.output.contains("whole"), "\(intact)")
        let path = folder.path + "/server/nightlatch.sqlite"
        let database = try DatabaseQueue(path: path)
        try await database.write { database in
            try database.execute(sql: "DROP TRIGGER audit_entry_stays; DELETE FROM audit_entry")
        }
        try database.close()
        let found = try await verify(folder, heads: [])
        #expect(found.status == 1 && found.output.contains("the log is empty"), "\(found)")
        #expect(found.errors.contains("damaged or was changed"), "\(found)")

        for name in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: name) {
            try FileManager.default.removeItem(atPath: name)
        }
        try SQLiteStore(path: path).close()
        let new = try await verify(folder, heads: [])
        #expect(new.status == 0 && new.output.hasPrefix("0 entries in 0 chains"), "\(new)")
    }

    private func runServer(again folder: TemporaryFolder) async throws {
        try await ServerProcess.run(in: folder, options: ["--audit-heads-file", folder.path + "/heads"]) { server in
            let code = try await server.code(for: "bob")
            #expect(!code.isEmpty)
        }
    }

    @Test("Without any head in the files, the command warns and does not report the log as whole")
    func noHeads() async throws {
        let folder = try TemporaryFolder()
        try await runServer(in: folder)
        #expect(FileManager.default.createFile(atPath: folder.path + "/empty", contents: Data()))
        let empty = try await verify(folder, heads: ["empty"])
        #expect(empty.status == 1 && empty.output.isEmpty, "\(empty)")
        #expect(empty.errors.contains("warning: ") && empty.errors.contains("there is no head in \(folder.path)/empty"))
        #expect(try await verify(folder, heads: ["empty", "heads"]).status == 0)
    }

    @Test("A missing audit table is a finding, not an error of the command")
    func noTable() async throws {
        let folder = try TemporaryFolder()
        try await runServer(in: folder)
        let database = try DatabaseQueue(path: folder.path + "/server/nightlatch.sqlite")
        try await database.write { database in try database.execute(sql: "DROP TABLE audit_entry") }
        try database.close()
        let gone = try await verify(folder)
        #expect(gone.status == 1 && gone.output.isEmpty && gone.errors.contains("its table is missing"), "\(gone)")
    }

    @Test("Printed heads are signed and can be compared with the log, and each line that is not a head is reported")
    func printed() async throws {
        let folder = try TemporaryFolder()
        try await runServer(in: folder)
        let server = folder.path + "/server"
        let printed = try await Nightlatch.run(
            "audit", "heads", "--database", "sqlite:\(server)/nightlatch.sqlite", "--master-key-file",
            server + "/master.key")
        #expect(printed.status == 0 && printed.output.split(separator: "\n").count == 1, "\(printed)")
        try (printed.output + "\nnot a head\n").write(
            toFile: folder.path + "/printed", atomically: false, encoding: .utf8)
        let told = try await verify(folder, heads: ["heads", "printed"])
        #expect(told.status == 1 && told.output.contains("printed, line 3: not a head"), "\(told)")
        #expect(told.errors.contains("hashes of the audit log are consistent"), "\(told)")
        let missing = try await verify(folder, heads: ["nowhere"])
        #expect(missing.status == 2 && missing.errors.contains("there is no file"), "\(missing)")
    }
}
