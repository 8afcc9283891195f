import Foundation
import GRDB
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

/// Exports and deletes users of real servers by command.
@Suite("The export and the deletion of users at the command line", .timeLimit(.minutes(10)))
struct UserDataTests {
    private func admin(_ server: ServerProcess, _ arguments: String...) async throws -> Outcome {
        try await Nightlatch.run(
            ["admin", "users"] + arguments + ["--database", "sqlite:\(server.folder)/nightlatch.sqlite"])
    }

    private func verify(_ server: ServerProcess, _ options: String...) async throws -> Outcome {
        try await Nightlatch.run(
            [
                "audit", "verify", "--database", "sqlite:\(server.folder)/nightlatch.sqlite", "--master-key-file",
                server.folder + "/master.key",
            ] + options)
    }

    @Test(
        """
        A user of a running server is exported and deleted: their login and token end at once, and the audit log still \
        matches the heads that were exported before
        """)
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let session = try await device.login.logIn(device.vault)
            #expect(try await device.backend.introspect(.access(session.accessToken)).isActive)
            _ = try await device.backend.enrolmentCode(for: try #require(UserID(rawValue: "bob")))
            let heads = try await Nightlatch.run(
                "audit", "heads", "--database", "sqlite:\(server.folder)/nightlatch.sqlite", "--master-key-file",
                server.folder + "/master.key")
            try heads.output.write(toFile: folder.path + "/heads", atomically: false, encoding: .utf8)

            let file = folder.path + "/alice.json"
            let exported = try await admin(server, "export", "alice", "--out", file)
            #expect(exported.status == 0 && exported.output.isEmpty, "\(exported)")
            let contents = try #require(FileManager.default.contents(atPath: file))
            let document = try #require(try JSONSerialization.jsonObject(with: contents) as? [String: Any])
            #expect((document["devices"] as? [Any])?.count == 1 && (document["audit"] as? [Any])?.count ?? 0 >= 4)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let again = try await admin(server, "export", "alice", "--out", file)
            #expect(again.status == 2 && again.errors.contains("is not overwritten"), "\(again)")
            let printed = try await admin(server, "export", "bob")
            #expect(printed.status == 0 && printed.output.hasPrefix("{\n"))
            let unknown = try await admin(server, "export", "carol", "--out", folder.path + "/carol.json")
            #expect(unknown.status == 1 && unknown.errors.contains("no such user"), "\(unknown)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasPrefix("carol.json") || $0.contains(".partial-") }, "\(names)")

            for arguments in [["--confirm", "Alice", "--reason", "x"], ["--confirm", "alice", "--reason", ""]] {
                let refused = try await Nightlatch.run(
                    ["admin", "users", "delete", "alice"] + arguments + [
                        "--database", "sqlite:\(server.folder)/nightlatch.sqlite",
                    ])
                #expect(refused.status == 2 && refused.errors.contains("Nothing was deleted"), "\(refused)")
            }
            #expect(try await device.backend.introspect(.access(session.accessToken)).isActive)
            let deleted = try await admin(server, "delete", "alice", "--confirm", "alice", "--reason", "ticket 4711")
            #expect(deleted.status == 0 && deleted.output.contains("deleted: devices 1,"), "\(deleted)")
            #expect(!deleted.output.contains("still name"))
            let pseudonym = String(try #require(deleted.output.firstMatch(of: /filed under (deleted-[\w-]+)\n/)).1)
            let gone = try await admin(server, "delete", "alice", "--confirm", "alice", "--reason", "ticket 4711")
            #expect(gone.status == 1 && gone.errors.contains("no such user"), "\(gone)")

            #expect(try await device.backend.introspect(.access(session.accessToken)).isActive == false)
            await #expect(throws: (any Error).self) { try await device.login.logIn(device.vault) }
            let audit = try await Nightlatch.run(
                "admin", "audit", "--user", pseudonym, "--database", "sqlite:\(server.folder)/nightlatch.sqlite")
            #expect(audit.output.contains("user_deleted") && audit.output.contains("ticket 4711"), "\(audit)")
            #expect(audit.output.contains("logged_in") && !audit.output.contains("alice"))
            let whole = try await verify(server, "--heads", folder.path + "/heads")
            #expect(whole.status == 0 && whole.output.hasSuffix("whole\n"), "\(whole)")
            #expect(whole.output.contains("entries of deleted users, whose names were erased: "))
            let users = try await admin(server, "list")
            #expect(users.output.contains("bob") && !users.output.contains("alice"))
        }
        let rows = try await Self.rows(in: folder.path + "/server/nightlatch.sqlite")
        #expect(!rows.isEmpty && !rows.contains { $0.contains("alice") })
    }

    @Test("A deletion that is killed inside its transaction has deleted nothing, and can be repeated")
    func killed() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            _ = try await device.login.logIn(device.vault)
            let path = server.folder + "/nightlatch.sqlite"
            // Holds a deletion before its last step for hours.
            let entries = (1...24).map { "audit_entry AS a\($0)" }.joined(separator: ", ")
            try await Self.change(
                path, "CREATE TRIGGER hold BEFORE DELETE ON user BEGIN SELECT count(*) FROM \(entries); END")
            let arguments = ["delete", "alice", "--confirm", "alice", "--reason", "ticket 4711"]
            let hasEnded = try await Nightlatch.runAndKill(
                ["admin", "users"] + arguments + ["--database", "sqlite:\(path)"]
            ) { try await Self.waitUntilLocked(path) }
            #expect(!hasEnded)
            try await Self.change(path, "DROP TRIGGER hold")

            let shown = try await admin(server, "show", "alice")
            #expect(shown.status == 0 && shown.output.contains("1 active"), "\(shown)")
            _ = try await device.login.logIn(device.vault)
            let kept = try await verify(server)
            #expect(kept.status == 0 && !kept.output.contains("deleted"), "\(kept)")
            let deleted = try await admin(server, "delete", "alice", "--confirm", "alice", "--reason", "ticket 4711")
            #expect(deleted.status == 0, "\(deleted)")
            let rows = try await Self.rows(in: path)
            #expect(!rows.isEmpty && !rows.contains { $0.contains("alice") })
            let verified = try await verify(server)
            #expect(verified.status == 0 && verified.output.contains("names were erased"), "\(verified)")
        }
    }

    private static func change(_ path: String, _ statement: String) async throws {
        let database = try DatabaseQueue(path: path)
        try await database.write { try $0.execute(sql: statement) }
        try database.close()
    }

    /// Waits until another process has the write lock of the database for a second or more, for at most a minute. The
    /// server has it for milliseconds.
    private static func waitUntilLocked(_ path: String) async throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(1)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            do {
                try await database.writeWithoutTransaction { database in
                    try database.execute(sql: "BEGIN IMMEDIATE; ROLLBACK")
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return
            }
            // The server and the command get their turns.
            await Task.yield()
        }
        Issue.record("the deletion does not hold the lock")
    }

    /// Returns all rows of all tables as text.
    private static func rows(in path: String) async throws -> [String] {
        try await DatabaseQueue(path: path).read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
                    row.map { _, value in
                        Data.fromDatabaseValue(value).map { String(decoding: $0, as: UTF8.self) } ?? value.description
                    }.joined(separator: " ")
                }
            }
        }
    }
}
