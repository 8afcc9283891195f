import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The queries of the operators' lists")
struct ListQueryTests {
    private static let position = ListPosition(text: SearchText("b"), id: "1")
    private static let place = TimePosition(at: TestTime.start, id: "1")

    private static func deviceFilters() throws -> [DeviceFilter] {
        let statuses: [DeviceFilter.Status?] = [nil] + DeviceFilter.Status.allCases
        return statuses.flatMap { status in
            [nil, "abcd"].flatMap { id in
                [nil, SearchText("a")].flatMap { name in
                    [nil, ClientID.default].map { client in
                        DeviceFilter(name: name, id: id, status: status, client: client)
                    }
                }
            }
        }
    }

    private static func transactionFilters() throws -> [TransactionFilter] {
        let states: [TransactionState?] = [nil] + TransactionState.allCases
        let users = [nil, try Fixture.alice()]
        return states.flatMap { state in
            users.flatMap { user in
                [nil, TestTime.start].map { TransactionFilter(state: state, user: user, until: $0) }
            }
        }
    }

    private static func auditFilters() throws -> [AuditFilter] {
        let users = [nil, try Fixture.alice()]
        return users.flatMap { user in
            [nil, AuditEvent.Kind.loggedIn].flatMap { kind in
                [nil, ProblemCode.rateLimited].flatMap { problem in
                    [nil, TestTime.start].map { AuditFilter(user: user, kind: kind, problem: problem, until: $0) }
                }
            }
        }
    }

    private static func auditPosition() throws -> AuditPosition {
        AuditPosition(
            of: AuditEntry(
                chain: .random(), sequence: 1, at: TestTime.start, event: AuditEvent(.loggedIn, by: .device)))
    }

    @Test("SQLite reads every list and counts its rows along an index, in order")
    func sqlite() async throws {
        var queries: [SQLiteListQuery] = []
        for position in [nil, Self.position] {
            for prefix in [nil, SearchText("a")] {
                queries.append(SQLiteListQuery(usersMatching: prefix, after: position))
            }
            queries += try Self.deviceFilters().map { SQLiteListQuery(devices: $0, after: position) }
        }
        for place in [nil, Self.place] {
            queries += try Self.transactionFilters().map {
                SQLiteListQuery(transactions: $0, before: place, now: TestTime.start)
            }
            queries.append(SQLiteListQuery(waitingRemoteLoginsBefore: place, now: TestTime.start))
        }
        for position in [nil, try Self.auditPosition()] {
            queries += try Self.auditFilters().map { SQLiteListQuery(auditEntries: $0, before: position) }
        }
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            try SQLiteStore(path: path).close()
            let file = try DatabaseQueue(path: path)
            try await file.read { [queries] database in
                for query in queries {
                    for sql in [query.rows("1"), query.count] {
                        let nulls = Array(repeating: DatabaseValue.null, count: sql.count { $0 == "?" })
                        let plan = try Row.fetchAll(
                            database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: StatementArguments(nulls)
                        )
                        .map { $0["detail"] as String? ?? "" }
                        let text = plan.joined(separator: "\n")
                        #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(sql)\n\(text)")
                        // A count scans the rows that its inner query has found.
                        #expect(!plan.contains { $0.hasPrefix("SCAN ") && !$0.contains("subquery") }, "\(sql)\n\(text)")
                        // The few devices whose PINs are used up are sorted.
                        let isSorted = query.tables.contains("pin_hardening")
                        #expect(isSorted || !text.contains("TEMP B-TREE"), "\(sql)\n\(text)")
                    }
                }
            }
            try file.close()
        }
    }

    @Test("PostgreSQL can read every list along an index, in order")
    func postgres() async throws {
        var queries: [PostgresListQuery] = []
        for position in [nil, Self.position] {
            for prefix in [nil, SearchText("a")] {
                queries.append(PostgresListQuery(usersMatching: prefix, after: position))
            }
            queries += try Self.deviceFilters().map { PostgresListQuery(devices: $0, after: position) }
        }
        for place in [nil, Self.place] {
            queries += try Self.transactionFilters().map {
                PostgresListQuery(transactions: $0, before: place, now: TestTime.start)
            }
            queries.append(PostgresListQuery(waitingRemoteLoginsBefore: place, now: TestTime.start))
        }
        for position in [nil, try Self.auditPosition()] {
            queries += try Self.auditFilters().map { PostgresListQuery(auditEntries: $0, before: position) }
        }
        let schema = TestPostgres.newSchema()
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        // The tables are empty: without these settings PostgreSQL would read and sort them as a whole.
        var statements = "SET search_path TO \(schema); SET enable_seqscan = off; SET enable_sort = off;"
        statements += " SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan;"
        for (number, query) in queries.enumerated() {
            let count = query.rows("1").matches(of: /\$\d+/).compactMap { Int($0.0.dropFirst()) }.max() ?? 0
            let nulls = Array(repeating: "NULL", count: count).joined(separator: ", ")
            statements += "PREPARE p\(number) AS \(query.rows("1")); EXPLAIN EXECUTE p\(number)(\(nulls));"
        }
        let plans = try await PostgresCluster.shared.query(statements)
        #expect(plans.matches(of: /Index Cond/).count >= queries.count)
        // Remote logins that expire in the same second are sorted by their ids: an incremental sort.
        let whole = plans.split(separator: "\n").filter { $0.contains("Seq Scan") || $0.contains(#/(^|-> +)Sort /#) }
        #expect(whole.isEmpty, "\(whole.joined(separator: "\n"))")
    }
}
