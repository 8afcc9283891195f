import Foundation
import GRDB
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Copies of a SQLite database")
struct SQLiteBackupTests {
    private static let time = Date(timeIntervalSince1970: 1_790_000_000)

    /// A folder with a closed database that has the user alice.
    private static func with(_ body: (_ folder: String, _ path: String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/nightlatch.sqlite"
            try await use(path) { store in
                _ = try await store.bind(TestDevice(), to: try Fixture.alice())
            }
            try await body(folder, path)
        }
    }

    private static func use<Value>(_ path: String, _ body: (SQLiteStore) async throws -> Value) async throws -> Value {
        let store = try SQLiteStore(path: path)
        let value = try await body(store)
        try store.close()
        return value
    }

    /// The files in `folder`, without those that SQLite keeps beside the database.
    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { !["nightlatch.sqlite-shm", "nightlatch.sqlite-wal"].contains($0) }
    }

    @Test("A copy of an open database has everything that was answered, and only its owner can read it")
    func copy() async throws {
        try await Self.with { folder, path in
            let copy = folder + "/copy"
            try await Self.use(path) { store in
                _ = try await store.bind(TestDevice(), to: try Fixture.bob())
                let contents = try SQLiteBackup.write(path, to: copy)
                #expect(contents.userCount == 2 && contents.deviceCount == 2 && contents.auditEntryCount > 0)
                #expect(try SQLiteBackup.verify(copy) == contents)
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: copy)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Self.names(in: folder) == ["copy", "nightlatch.sqlite"])
            #expect(try await Self.use(copy) { try await $0.devices(of: try Fixture.bob()).count } == 1)
        }
    }

    @Test("No file is overwritten by a copy")
    func existing() async throws {
        try await Self.with { folder, path in
            let copy = folder + "/copy"
            try Data("kept".utf8).write(to: URL(filePath: copy))
            #expect(throws: SQLiteBackupError.exists(path: copy)) { try SQLiteBackup.write(path, to: copy) }
            #expect(try Data(contentsOf: URL(filePath: copy)) == Data("kept".utf8))
            #expect(try Self.names(in: folder) == ["copy", "nightlatch.sqlite"])
        }
    }

    @Test("A restored copy replaces the database, which is kept under another name")
    func restore() async throws {
        try await Self.with { folder, path in
            let copy = folder + "/copy"
            _ = try SQLiteBackup.write(path, to: copy)
            try await Self.use(path) { _ = try await $0.bind(TestDevice(), to: try Fixture.bob()) }

            let (contents, earlier) = try SQLiteBackup.restore(copy, to: path, now: Self.time)
            #expect(contents.userCount == 1)
            #expect(earlier == path + ".before-restore-20260921T141320Z")
            #expect(try await Self.use(path) { try await $0.user(try Fixture.bob()) } == nil)
            // The name of the earlier database is taken.
            #expect(try SQLiteBackup.restore(copy, to: path, now: Self.time).earlier == earlier.map { $0 + "-2" })
            #expect(try Self.names(in: folder).count == 4)
            #expect(try SQLiteBackup.verify(try #require(earlier)).userCount == 2)
        }
    }

    @Test("A database whose log is not merged yet is kept whole, and its log is not read into the copy")
    func unmergedLog() async throws {
        try await Self.with { folder, path in
            let copy = folder + "/copy"
            _ = try SQLiteBackup.write(path, to: copy)
            // As after the kill of a server: the files are copied while a store has them open.
            let killed = folder + "/killed"
            try await Self.use(path) { store in
                _ = try await store.bind(TestDevice(), to: try Fixture.bob())
                for name in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: path + name, toPath: killed + name)
                }
            }
            let size = try FileManager.default.attributesOfItem(atPath: killed + "-wal")[.size] as? Int
            #expect(size ?? 0 > 0)
            #expect(throws: SQLiteBackupError.unmerged(log: killed + "-wal")) {
                try SQLiteBackup.restore(killed, to: path, now: Self.time)
            }
            let (_, earlier) = try SQLiteBackup.restore(copy, to: killed, now: Self.time)
            #expect(try await Self.use(killed) { try await $0.user(try Fixture.bob()) } == nil)
            #expect(try SQLiteBackup.verify(try #require(earlier)).userCount == 2)
        }
    }

    @Test("A link to the database stays, and the file behind it is replaced")
    func link() async throws {
        try await Self.with { folder, path in
            let (copy, link) = (folder + "/copy", folder + "/link.sqlite")
            _ = try SQLiteBackup.write(path, to: copy)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            try await Self.use(path) { _ = try await $0.bind(TestDevice(), to: try Fixture.bob()) }
            _ = try SQLiteBackup.restore(copy, to: link, now: Self.time)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
            #expect(try await Self.use(path) { try await $0.user(try Fixture.bob()) } == nil)
        }
    }

    @Test("A copy is restored where there is no database")
    func restoreNew() async throws {
        try await Self.with { folder, path in
            let new = folder + "/new.sqlite"
            let (_, earlier) = try SQLiteBackup.restore(path, to: new, now: Self.time)
            #expect(earlier == nil)
            #expect(try await Self.use(new) { try await $0.devices(of: try Fixture.alice()).count } == 1)
        }
    }

    @Test("A database that a store has open is not replaced")
    func inUse() async throws {
        try await Self.with { folder, path in
            let copy = folder + "/copy"
            _ = try SQLiteBackup.write(path, to: copy)
            // The locks of one process do not exclude each other, so another process holds this one.
            let holder = Process()
            holder.executableURL = URL(filePath: "/usr/bin/env")
            let (input, output) = (Pipe(), Pipe())
            holder.arguments = [
                "python3", "-c",
                """
                import sqlite3, sys
                database = sqlite3.connect(sys.argv[1])
                database.execute("SELECT count(*) FROM user").fetchall()
                print("open", flush=True)
                sys.stdin.read()
                """, path,
            ]
            (holder.standardInput, holder.standardOutput) = (input, output)
            try holder.run()
            #expect(output.fileHandleForReading.readData(ofLength: 4) == Data("open".utf8))
            #expect(throws: SQLiteBackupError.inUse) { try SQLiteBackup.restore(copy, to: path, now: Self.time) }
            try input.fileHandleForWriting.close()
            holder.waitUntilExit()
            #expect(try Self.names(in: folder).contains { $0.contains("before-restore") } == false)
            _ = try SQLiteBackup.restore(copy, to: path, now: Self.time)
        }
    }

    @Test("A damaged copy, a foreign file and a missing one are refused, and the database stays")
    func refused() async throws {
        try await Self.with { folder, path in
            let (copy, foreign) = (folder + "/copy", folder + "/foreign")
            _ = try SQLiteBackup.write(path, to: copy)
            var bytes = try Data(contentsOf: URL(filePath: copy))
            let before = try Data(contentsOf: URL(filePath: path))
            // The pages after the first, which has the schema.
            for index in stride(from: 4096 + 50, to: bytes.count, by: 64) { bytes[index] ^= 0xFF }
            try bytes.write(to: URL(filePath: copy))
            let error = #expect(throws: SQLiteBackupError.self) {
                try SQLiteBackup.restore(copy, to: path, now: Self.time)
            }
            guard case .damaged = error else { return #expect(Bool(false), "\(String(describing: error))") }

            try await DatabaseQueue(path: foreign).write { try $0.execute(sql: "CREATE TABLE other (id INTEGER)") }
            #expect(throws: SQLiteBackupError.foreign) {
                try SQLiteBackup.restore(foreign, to: path, now: Self.time)
            }
            #expect(throws: SQLiteBackupError.missing(path: folder + "/none")) {
                try SQLiteBackup.restore(folder + "/none", to: path, now: Self.time)
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            #expect(try Self.names(in: folder) == ["copy", "foreign", "nightlatch.sqlite"])
        }
    }

    @Test("A damaged database is replaced, and is kept with its log")
    func damagedDatabase() async throws {
        try await Self.with { folder, path in
            let copy = folder + "/copy"
            _ = try SQLiteBackup.write(path, to: copy)
            try Data(repeating: 0x5A, count: 20_000).write(to: URL(filePath: path))
            try Data(repeating: 0x5A, count: 100).write(to: URL(filePath: path + "-wal"))
            let (_, earlier) = try SQLiteBackup.restore(copy, to: path, now: Self.time)
            let kept = try #require(earlier)
            #expect(try Data(contentsOf: URL(filePath: kept)).count == 20_000)
            #expect(try Data(contentsOf: URL(filePath: kept + "-wal")).count == 100)
            #expect(try await Self.use(path) { try await $0.devices(of: try Fixture.alice()).count } == 1)
        }
    }
}
