import Foundation
import GRDB
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The SQLite store")
struct SQLiteStoreTests {
    @Test("A challenge logs in once over two connections to one file")
    func twoConnections() async throws {
        try await TemporaryFolder.with { folder in
            let stores = try (0..<2).map { _ in
                try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            }
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await stores[0].bind(device, to: alice)
            async let left = inParallel(100) {
                try await stores[0].recordLogin(device.login(id: id, user: alice), consuming: use)
            }
            async let right = inParallel(100) {
                try await stores[1].recordLogin(device.login(id: id, user: alice), consuming: use)
            }
            let outcomes = try await left + right
            #expect(outcomes.filter { $0 == .loggedIn }.count == 1)
            #expect(outcomes.filter { $0 == .challengeUsed }.count == 199)
        }
    }

    @Test("A refresh token presented 200 times at once leaves one family with one current token")
    func refreshRace() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            let results = try await inParallel(200) { try await store.refresh(token, by: device) }
            let families = try await DatabaseQueue(path: folder + "/store.sqlite").read { database in
                try Row.fetchAll(database, sql: "SELECT current_hash, previous_hash FROM device")
                    .map { [$0["current_hash"] as Data, $0["previous_hash"] as Data] }
            }
            #expect(families.count == 1)
            #expect(families.first?.last == Data(token.hash.bytes))
            let current = try #require(results.first { Data($0.1.hash.bytes) == families.first?.first })
            #expect(try await store.refresh(current.1, by: device).0.isRotated)
        }
    }

    @Test("All written data is present when the file is opened again")
    func reopening() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let key = try Fixture.signingKey()
            let first = try SQLiteStore(path: path, clock: TestTime.clock)
            let id = try await first.bind(device, to: alice)
            _ = try await first.recordLogin(device.login(id: id, user: alice), consuming: use)
            let token = try await first.logIn(device, id: id, user: alice)
            _ = try await first.addSigningKey(key, after: nil)
            let devices = try await first.devices(of: alice)
            try first.close()

            let second = try SQLiteStore(path: path, clock: TestTime.clock)
            #expect(try await second.devices(of: alice) == devices)
            #expect(try await second.addSigningKey(try Fixture.signingKey(), after: nil) == [key])
            #expect(try await second.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
            #expect(try await second.refresh(token, by: device).0.isRotated)
        }
    }

    @Test("After closing, the main file contains all written data")
    func closing() async throws {
        try await TemporaryFolder.with { folder in
            let (path, copy) = (folder + "/store.sqlite", folder + "/copy.sqlite")
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            let devices = try await store.devices(of: alice)
            try store.close()

            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let copied = try SQLiteStore(path: copy, clock: TestTime.clock)
            #expect(try await copied.devices(of: alice) == devices)
            #expect(try await copied.refresh(token, by: device).0.isRotated)
        }
    }

    @Test("Closing does not wait for another process that continues, and removes none of its data")
    func closingOneOfTwo() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let stores = try (0..<2).map { _ in try SQLiteStore(path: path, clock: TestTime.clock) }
            let alice = try Fixture.alice()
            let first = try await stores[0].bind(TestDevice(), to: alice)
            let other = try DatabaseQueue(path: path)
            try await other.read { _ in try stores[0].close() }
            let second = try await stores[1].bind(TestDevice(), to: alice)
            #expect(try await Set(stores[1].devices(of: alice).map(\.id)) == [first, second])
        }
    }

    @Test("When SQLite is already in use, changing a process-wide setting fails and is reported")
    func settingTooLate() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            #expect(!SQLiteLibrary.stopCountingMemory())
            try await store.checkReadiness()
        }
    }

    @Test("All expired rows are deleted, whatever their number, and no others")
    func purge() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            try await DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2100)
                        INSERT INTO used_challenge (challenge, message_hash, device_id, expires_at)
                            SELECT 'old ' || n, zeroblob(32), ?, 1700000000 FROM number
                        """,
                    arguments: [id.rawValue])
            }
            let kept = Fixture.use()
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: kept) == .loggedIn)
            try await store.purgeExpired()
            let left = try await DatabaseQueue(path: path).read { database in
                try String.fetchAll(database, sql: "SELECT challenge FROM used_challenge")
            }
            // The other challenge is that of the binding.
            #expect(left.count == 2 && left.contains(kept.challenge.rawValue))
        }
    }

    @Test("SQLite's integrity check of a database in use finds no error in any table")
    func integrity() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            #expect(
                try await store.recordLogin(device.login(id: id, user: alice), consuming: Fixture.use()) == .loggedIn)
            try await DatabaseQueue(path: path).read { database in
                let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check")
                #expect(findings == ["ok"])
                // A possible error: every table without row ids must begin with the columns of its key.
                let tables = try String.fetchAll(
                    database,
                    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%WITHOUT ROWID%'")
                #expect(tables.contains("used_challenge"))
                for table in tables {
                    let columns = try Row.fetchAll(database, sql: "PRAGMA table_info(\(table))")
                    let places = columns.map { $0["pk"] as Int }.prefix { $0 > 0 }
                    #expect(places.count == columns.count { $0["pk"] as Int > 0 }, "\(table)")
                }
            }
            try store.close()
        }
    }

    /// Runs `body` while another connection holds the write lock, until `count` tasks are about to write.
    private func withLockedFile<Value: Sendable>(
        _ path: String,
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let (beginnings, teller) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count {
                group.addTask {
                    teller.yield()
                    return try await body(number)
                }
            }
            var begun = 0
            for await _ in beginnings {
                begun += 1
                if begun == count { break }
            }
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Operations rolled back with another one are repeated, and leave one entry each and no gap")
    func rolledBackGroup() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let alice = try Fixture.alice()
            try await DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        CREATE TRIGGER never BEFORE INSERT ON audit_entry WHEN NEW.user_id IS NULL
                        BEGIN SELECT RAISE(ABORT, 'never'); END
                        """)
            }
            let isWritten = try await withLockedFile(path, 60) { number in
                do {
                    try await store.audit(
                        AuditEvent(.requestsRefused, by: .server, user: number % 20 == 19 ? nil : alice, count: number))
                    return true
                } catch let error as RelyingPartyStoreError {
                    #expect(error.kind == .defect)
                    return false
                }
            }
            #expect(isWritten.count { $0 } == 57)
            #expect(try await store.auditHeads().map(\.sequence) == [57])
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    @Test("Operations that wait at the same time are committed together")
    func groupCommit() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock, pragmas: ["wal_autocheckpoint = 0"])
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            func logSize() throws -> Int {
                try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
            }
            @Sendable func logIn() async throws -> LoginOutcome {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: Fixture.use())
            }
            let start = try logSize()
            for _ in 0..<60 { #expect(try await logIn() == .loggedIn) }
            let apart = try logSize() - start
            let outcomes = try await withLockedFile(path, 60) { _ in try await logIn() }
            #expect(outcomes.allSatisfy { $0 == .loggedIn })
            let together = try logSize() - start - apart
            // Each commit writes each changed page once.
            #expect(together < apart / 3, "\(together) of \(apart)")
        }
    }

    @Test("A device name that an earlier version accepted is read, even if it is no longer valid")
    func earlierName() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            let name = "Pho\u{200B}ne"
            #expect(DeviceName(rawValue: name) == nil)
            try await DatabaseQueue(path: path).write { database in
                try database.execute(sql: "UPDATE device SET name = ?", arguments: [name])
            }
            #expect(try await store.device(id, of: alice)?.name.rawValue == name)
        }
    }

    @Test("A link to a missing file is not followed, a link to a database is, and a pipe is not waited for")
    func linkedFile() async throws {
        try await TemporaryFolder.with { folder in
            let (link, target) = (folder + "/link.sqlite", folder + "/target.sqlite")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            #expect(throws: RelyingPartyStoreError.self) { try SQLiteStore(path: link, clock: TestTime.clock) }
            #expect(!FileManager.default.fileExists(atPath: target))
            let alice = try Fixture.alice()
            _ = try await SQLiteStore(path: target, clock: TestTime.clock).bind(TestDevice(), to: alice)
            #expect(try await SQLiteStore(path: link, clock: TestTime.clock).user(alice) != nil)
            let pipe = folder + "/pipe.sqlite"
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            #expect(throws: RelyingPartyStoreError.self) { try SQLiteStore(path: pipe, clock: TestTime.clock) }
        }
    }

    @Test("A failing operation fails alone, even if it is committed together with others")
    func failureInGroup() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let (alice, phone, damaged) = (try Fixture.alice(), TestDevice(), TestDevice())
            let id = try await store.bind(phone, to: alice)
            let damagedID = try await store.bind(damaged, to: alice)
            try await DatabaseQueue(path: path).write { database in
                try database.execute(sql: "UPDATE device SET key = '{}' WHERE id = ?", arguments: [damagedID.rawValue])
            }
            let outcomes = try await withLockedFile(path, 60) { number in
                do {
                    if number % 3 == 0 {
                        _ = try await store.revoke(damagedID, of: alice)
                        return "revoked"
                    }
                    let use = Fixture.use()
                    return "\(try await store.recordLogin(phone.login(id: id, user: alice), consuming: use))"
                } catch let error as RelyingPartyStoreError {
                    return error.kind.rawValue
                }
            }
            #expect(outcomes.count { $0 == "corrupt" } == 20)
            #expect(outcomes.count { $0 == "loggedIn" } == 40)
            let used = try await DatabaseQueue(path: path).read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM used_challenge")
            }
            // Two challenges are those of the bindings.
            #expect(used == 42)
        }
    }

    @Test("Committed data is on disk before the answer")
    func durability() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            #expect(try store.pragma("synchronous") == "2")
            #expect(try store.pragma("journal_mode") == "wal")
            #expect(try store.pragma("foreign_keys") == "1")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    /// Reasons why a file cannot be written.
    enum Fault: String, CaseIterable, Sendable {
        case full
        case readOnly
        case locked

        var kind: RelyingPartyStoreError.Kind {
            switch self {
            case .full: .full
            case .readOnly: .readOnly
            case .locked: .unavailable
            }
        }

        var pragma: String {
            switch self {
            case .full: "max_page_count = 1"
            case .readOnly: "query_only = ON"
            case .locked: "busy_timeout = 0"
            }
        }
    }

    @Test(
        "Writes to a full, a read-only or a locked file fail with that kind of error and write nothing",
        arguments: Fault.allCases
    )
    func unwritable(fault: Fault) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let good = try SQLiteStore(path: path, clock: TestTime.clock)
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await good.bind(device, to: alice)
            let broken = try SQLiteStore(path: path, clock: TestTime.clock, pragmas: [fault.pragma])
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            if fault == .locked {
                try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            }
            var accepted: [Challenge] = []
            // A full file accepts writes that fit into its pages, until one does not.
            await #expect(throws: RelyingPartyStoreError(fault.kind)) {
                for _ in 0..<500 {
                    let use = Fixture.use()
                    _ = try await broken.recordLogin(device.login(id: id, user: alice), consuming: use)
                    accepted.append(use.challenge)
                }
            }
            let code: EnrolmentCodeMAC = Fixture.hash()
            if fault != .full {
                #expect(accepted.isEmpty)
                await #expect(throws: RelyingPartyStoreError(fault.kind)) { try await broken.checkReadiness() }
                await #expect(throws: RelyingPartyStoreError(fault.kind)) {
                    try await broken.createEnrolmentCode(
                        NewEnrolmentCode(mac: code, user: alice, actor: .backend, life: .seconds(600)))
                }
            }
            if fault == .locked {
                try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            }
            let (challenges, families) = try await other.read { database in
                (
                    try Set(String.fetchAll(database, sql: "SELECT challenge FROM used_challenge")),
                    try Int.fetchOne(database, sql: "SELECT count(family_id) FROM device")
                )
            }
            // One more challenge is that of the binding.
            #expect(challenges.count == accepted.count + 1)
            #expect(challenges.isSuperset(of: accepted.map(\.rawValue)))
            #expect(families == (accepted.isEmpty ? 0 : 1))
            #expect(try await good.user(enrolledBy: code, deviceKey: device.key.id) == nil)
            #expect(try await good.devices(of: alice).count == 1)
        }
    }

    @Test("A file that another program keeps locked is unavailable, and usable again afterwards")
    func locked() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock, pragmas: ["busy_timeout = 0"])
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.writeWithoutTransaction { database in try database.beginTransaction(.exclusive) }
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await store.checkReadiness() }
            await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                try await store.createEnrolmentCode(
                    NewEnrolmentCode(
                        mac: Fixture.hash(), user: Fixture.alice(), actor: .backend, life: .seconds(600)))
            }
            try await other.writeWithoutTransaction { database in try database.rollback() }
            try await store.checkReadiness()
        }
    }

    @Test("A file that is not a database is corrupt and left unchanged")
    func noDatabase() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let text = Data(String(repeating: "This is a letter, not a database. ", count: 100).utf8)
            try text.write(to: URL(filePath: path))
            #expect(throws: RelyingPartyStoreError(.corrupt)) { try SQLiteStore(path: path) }
            #expect(try Data(contentsOf: URL(filePath: path)) == text)
        }
    }

    @Test("A path that cannot be written is reported as unavailable")
    func noFolder() async throws {
        #expect(throws: RelyingPartyStoreError(.unavailable)) { try SQLiteStore(path: "/nonexistent/store.sqlite") }
    }

    @Test(
        "A row with an invalid value is corrupt, not absent",
        arguments: ["key = '{}'", "key_id = 'none'", "name = ''", "possession_key_id = 'none'"])
    func corruptRow(change: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            try await DatabaseQueue(path: path).write { database in
                try database.execute(sql: "UPDATE device SET " + change)
            }
            await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.device(id, of: alice) }
        }
    }
}
