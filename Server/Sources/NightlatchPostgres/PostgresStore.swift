public import Logging
public import NightlatchRelyingParty

/// A store in a PostgreSQL database, for any number of processes on any number of machines.
///
/// A verb that has returned is on the server's disk. Each verb first locks the row that its rule hangs on, so verbs that meet take
/// turns; what meets all the same is rolled back and tried again. Time is the database's own, so processes whose clocks differ
/// come to one answer. When the server is gone verbs throw `StoreError` `unavailable`, and are good again when it is back.
///
/// libpq blocks, so the store has threads of its own, one for each connection.
public struct PostgresStore: RelyingPartyStore {
    /// How many connections a store has unless it is told otherwise.
    public static let defaultConnectionCount = 8

    /// How long a statement of a migration may take, and the wait for another process that migrates.
    private static let migrationLimit: Duration = .seconds(60 * 60)

    private let pool: PostgresPool
    /// What time it is; nil for the database's own.
    private let clock: WallClock?

    /// Connects, and brings the schema `nightlatch` up to date; it is made if there is none. Any number of processes may do so at
    /// once. A role that may not make tables will do where the schema is up to date.
    ///
    /// - Parameters:
    ///   - address: Where the database is, and how to get in.
    ///   - connectionCount: How many connections there are at most, one or more.
    ///   - logger: Is told why the server was not reached. No statement, value or password is ever logged.
    /// - Throws: `StoreError`; the schema is as it was or of a finished version.
    public static func open(
        _ address: PostgresAddress,
        connectionCount: Int = defaultConnectionCount,
        logger: Logger = Logger(label: "nightlatch.postgres")
    ) async throws(StoreError) -> PostgresStore {
        try await open(
            address, connectionCount: connectionCount, logger: logger, schema: "nightlatch",
            statementLimit: .seconds(5),
            clock: nil)
    }

    /// As ``open(_:connectionCount:logger:)``, in another schema, with another limit, by another clock than the database's.
    package static func open(
        _ address: PostgresAddress,
        connectionCount: Int = defaultConnectionCount,
        logger: Logger = Logger(label: "nightlatch.postgres"),
        schema: String,
        statementLimit: Duration,
        clock: WallClock?
    ) async throws(StoreError) -> PostgresStore {
        var session = PostgresSession(
            address: address, schema: schema, log: ReachabilityLog(logger), statementLimit: statementLimit)
        let store = PostgresStore(
            pool: PostgresPool(size: max(1, connectionCount), session: session), clock: clock)
        do {
            if try await !store.isUpToDate(schema: schema) {
                // What a request may wait for is no measure here: an index of a large table is made once, and others wait for it.
                session.statementLimit = migrationLimit
                let patient = PostgresStore(pool: PostgresPool(size: 1, session: session), clock: clock)
                defer { patient.close() }
                try await patient.migrate(schema: schema)
            }
            return store
        } catch {
            store.close()
            throw error
        }
    }

    /// Closes the connections, once the verbs that were begun have ended. Verbs that come later throw.
    public func close() { pool.close() }

    /// What the server says of one of the session's settings.
    package func setting(_ name: String) async throws(StoreError) -> String? {
        try await read(measuredAs: nil) { transaction in
            try transaction.rows("SELECT current_setting($1) AS value", .text(name)).first?.text("value")
        }
    }

    /// Runs `transaction` whole or not at all; it may be run more than once.
    func write<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(StoreError) in
            try await pool.run(writing: true, time: clock?.now(), transaction)
        }
    }

    /// Runs a verb of one statement that reads.
    func read<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ statement: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(StoreError) in
            try await pool.run(writing: false, time: clock?.now(), statement)
        }
    }

    /// Runs a verb that many ask for at once, in one transaction with others of them. `ask` sends what it has to know, and locks the
    /// row that its rule hangs on; what it returns decides and writes. ``PostgresSharedVerb`` says which verbs may.
    ///
    /// - Parameters:
    ///   - key: What serves one verb only.
    ///   - verb: The function that is measured.
    ///   - ask: Sends statements, and returns what decides by their answers.
    func shareWrite<Value: Sendable>(
        using key: String,
        measuredAs verb: String = #function,
        _ ask: @escaping @Sendable (PostgresTransaction) throws -> () throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(StoreError) in
            try await pool.share(writing: true, time: clock?.now(), key: key, ask)
        }
    }

    /// Runs a verb of one statement that reads, and that many ask for at once, in one trip with others.
    func shareRead<Value: Sendable>(
        measuredAs verb: String = #function,
        _ ask: @escaping @Sendable (PostgresTransaction) throws -> () throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(StoreError) in
            try await pool.share(writing: false, time: clock?.now(), key: nil, ask)
        }
    }
}
