import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Operations that share a transaction in PostgreSQL")
struct PostgresGroupTests {
    /// Runs `body` with a store that has `count` devices of alice, and with one login for each.
    private func withDevices(
        _ count: Int,
        statementLimit: Duration = .seconds(5),
        _ body: (PostgresStore, _ schema: String, _ logins: [NewLogin]) async throws -> Void
    ) async throws {
        let schema = TestPostgres.newSchema()
        let store = try await TestPostgres.open(schema: schema, statementLimit: statementLimit)
        defer { store.close() }
        let alice = try Fixture.alice()
        var logins: [NewLogin] = []
        for _ in 0..<count {
            let device = TestDevice()
            logins.append(try device.login(id: try await store.bind(device, to: alice), user: alice))
        }
        try await body(store, schema, logins)
    }

    /// Runs `body` for each number while another session holds `lock`, which is released when all have begun.
    private func withLock<Value: Sendable>(
        _ lock: String,
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        let cluster = try await PostgresCluster.shared
        let (beginnings, teller) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            try await cluster.whileHolding(lock) {
                for number in 0..<count {
                    group.addTask {
                        teller.yield()
                        return (number, try await body(number))
                    }
                }
                var begun = 0
                for await _ in beginnings {
                    begun += 1
                    if begun == count { break }
                }
            }
            let values = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return values.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Returns the number of transactions that wrote the present device rows: each row has the number of its
    /// transaction.
    private func transactionCount(in schema: String) async throws -> Int {
        let cluster = try await PostgresCluster.shared
        return try #require(Int(try await cluster.query("SELECT count(DISTINCT xmin::text) FROM \(schema).device")))
    }

    @Test("Logins that wait at the same time are committed together, each with its own outcome and entry")
    func together() async throws {
        try await withDevices(60) { store, schema, logins in
            let outcomes = try await withLock("LOCK TABLE \(schema).device IN ACCESS EXCLUSIVE MODE", 60) { number in
                try await store.recordLogin(logins[number], consuming: Fixture.use())
            }
            #expect(outcomes == Array(repeating: .loggedIn, count: 60))
            #expect(try await transactionCount(in: schema) < 20)
            for login in logins {
                let family = try await store.refreshFamily(login.refreshFamily)
                #expect(family?.device.id == login.device && family?.usableTokens == [login.refreshToken])
            }
            let entries = try await store.auditEntries(of: Fixture.alice(), before: nil, limit: 1000).map(\.event)
            let loggedIn = entries.filter { $0.kind == .loggedIn }.compactMap(\.device)
            #expect(loggedIn.count == 60 && Set(loggedIn) == Set(logins.map(\.device)))
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    @Test("A second group of logins runs beside one that waits, and no third one", .timeLimit(.minutes(1)))
    func twoGroups() async throws {
        try await withDevices(20, statementLimit: .seconds(600)) { store, schema, logins in
            let cluster = try await PostgresCluster.shared
            let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(schema).device'::regclass"
            func start(_ numbers: Range<Int>) -> [Task<LoginOutcome, any Error>] {
                logins[numbers].map { login in Task { try await store.recordLogin(login, consuming: Fixture.use()) } }
            }
            // Ends: when that many groups wait for the table, or with the test's time limit.
            func wait(for counts: Set<String>) async throws {
                while try await !counts.contains(cluster.query(waiting)), !Task.isCancelled {}
            }
            let tasks = try await cluster.whileHolding("LOCK TABLE \(schema).device IN ACCESS EXCLUSIVE MODE") {
                // The first group takes only the logins that are there when it begins.
                let first = start(0..<5)
                try await wait(for: ["1", "2"])
                let second = start(5..<15)
                try await wait(for: ["2"])
                let others = start(15..<20)
                for _ in 0..<3 { #expect(try await cluster.query(waiting) == "2") }
                return first + second + others
            }
            for task in tasks { #expect(try await task.value == .loggedIn) }
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    @Test("A failing login fails alone: the others are recorded together, once")
    func failures() async throws {
        try await withDevices(40) { store, schema, logins in
            let cluster = try await PostgresCluster.shared
            let damaged = logins[5].device
            try await cluster.query(
                "INSERT INTO \(schema).pin_hardening (device_id, state) VALUES ('\(damaged.rawValue)', '{}')")
            let shared = Fixture.use()
            let outcomes = try await withLock("LOCK TABLE \(schema).device IN ACCESS EXCLUSIVE MODE", 40) { number in
                var login = logins[number]
                var use = Fixture.use()
                switch number {
                case 5: login = try TestDevice().login(id: login.device, user: login.user, pinGuessLimit: 10)
                case 6: login = try TestDevice().login(id: .random(), user: login.user)
                case 7, 8: use = shared
                default: break
                }
                do {
                    return "\(try await store.recordLogin(login, consuming: use))"
                } catch let error as RelyingPartyStoreError {
                    return error.description
                }
            }
            #expect(outcomes[5] == RelyingPartyStoreError(.corrupt).description)
            #expect(outcomes[6] == "\(LoginOutcome.noSuchDevice)")
            #expect(Set(outcomes[7...8]) == ["\(LoginOutcome.loggedIn)", "\(LoginOutcome.challengeUsed)"])
            let others = outcomes.indices.filter { !(5...8).contains($0) }.map { outcomes[$0] }
            #expect(Set(others) == ["\(LoginOutcome.loggedIn)"])
            // Three logins were not recorded, and left the rows of their bindings unchanged.
            #expect(try await transactionCount(in: schema) < 20)
            let entries = try await store.auditEntries(of: Fixture.alice(), before: nil, limit: 1000).map(\.event)
            #expect(entries.count { $0.kind == .loggedIn } == 37)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    @Test(
        "A locked device delays no other device's login, and its own login is recorded afterwards",
        .timeLimit(.minutes(1)))
    func heldDevice() async throws {
        try await withDevices(20, statementLimit: .seconds(600)) { store, schema, logins in
            try await withHeldRow("\(schema).device WHERE id = '\(logins[0].device.rawValue)'") {
                try await store.recordLogin(logins[$0], consuming: Fixture.use())
            }
        }
    }

    /// Begins twenty logins while another session holds a row that the first one needs, and expects the others to end
    /// before the row is released.
    ///
    /// A login that waits for the row waits longer than a test may take.
    private func withHeldRow(
        _ row: String,
        _ login: @escaping @Sendable (Int) async throws -> LoginOutcome
    ) async throws {
        let (ends, teller) = AsyncStream<Int>.makeStream()
        let lock = "DO $$BEGIN PERFORM FROM \(row) FOR UPDATE; END$$"
        let tasks = try await PostgresCluster.shared.whileHolding(lock) {
            let tasks = (0..<20).map { number in
                Task {
                    defer { teller.yield(number) }
                    return try await login(number)
                }
            }
            // Also ends with the test's time limit, so that the row is released.
            var ended: Set<Int> = []
            for await number in ends {
                ended.insert(number)
                if ended.count == 19 { break }
            }
            #expect(ended == Set(1..<20))
            return tasks
        }
        for task in tasks { #expect(try await task.value == .loggedIn) }
    }

    @Test("Devices read at the same time are not mixed up, and one that cannot be read fails alone")
    func reads() async throws {
        try await withDevices(40) { store, schema, logins in
            let cluster = try await PostgresCluster.shared
            try await cluster.query(
                "UPDATE \(schema).device SET key = '{}' WHERE id = '\(logins[9].device.rawValue)'")
            let found = try await withLock("LOCK TABLE \(schema).device IN ACCESS EXCLUSIVE MODE", 40) { number in
                do {
                    return try await store.device(logins[number].device, of: logins[number].user)?.id.rawValue
                } catch let error as RelyingPartyStoreError {
                    return error.description
                }
            }
            for (number, login) in logins.enumerated() where number != 9 {
                #expect(found[number] == login.device.rawValue)
            }
            #expect(found[9] == RelyingPartyStoreError(.corrupt).description)
        }
    }

    @Test(
        "Logins of one device that are committed together leave the token family of one of them, and an entry for each")
    func oneDevice() async throws {
        try await withDevices(1) { store, schema, logins in
            let device = TestDevice()
            let id = try await store.bind(device, to: Fixture.alice())
            let many = try (0..<30).map { _ in try device.login(id: id, user: Fixture.alice()) }
            let outcomes = try await withLock("LOCK TABLE \(schema).device IN ACCESS EXCLUSIVE MODE", 30) { number in
                try await store.recordLogin(many[number], consuming: Fixture.use())
            }
            #expect(outcomes == Array(repeating: .loggedIn, count: 30))
            var live: [NewLogin] = []
            for login in many where try await store.refreshFamily(login.refreshFamily) != nil { live.append(login) }
            #expect(live.count == 1)
            let entries = try await store.auditEntries(of: Fixture.alice(), before: nil, limit: 1000).map(\.event)
            #expect(entries.count { $0.kind == .loggedIn && $0.device == id } == 30)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        }
    }

    @Test(
        "A locked token family delays no other login, and its own login is recorded afterwards",
        .timeLimit(.minutes(1)))
    func heldFamily() async throws {
        try await withDevices(20, statementLimit: .seconds(600)) { store, schema, logins in
            for login in logins { _ = try await store.recordLogin(login, consuming: Fixture.use()) }
            let family = "\(schema).refresh_family WHERE device_id = '\(logins[0].device.rawValue)'"
            try await withHeldRow(family) { try await store.recordLogin(logins[$0], consuming: Fixture.use()) }
        }
    }

    @Test("A closed store refuses operations and writes nothing")
    func closed() async throws {
        try await withDevices(1) { store, schema, logins in
            store.close()
            for _ in 0..<2 {
                await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                    try await store.recordLogin(logins[0], consuming: Fixture.use())
                }
                await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                    try await store.device(logins[0].device, of: logins[0].user)
                }
            }
            let cluster = try await PostgresCluster.shared
            #expect(try await cluster.query("SELECT count(*) FROM \(schema).refresh_family") == "0")
        }
    }
}
