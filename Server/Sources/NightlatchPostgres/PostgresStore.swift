public import Logging
public import NightlatchRelyingParty

/// A store in a PostgreSQL database, for any number of processes on any number of machines.
///
/// - When a verb returns, its effect is on the server's disk.
/// - Each verb first locks the row that its rule depends on, so conflicting verbs take turns. A verb that still
///   conflicts is rolled back and runs again.
/// - The time is the database's, so processes with different clocks agree.
/// - If the server is unavailable, verbs throw `RelyingPartyStoreError` `unavailable`. They work again when the server
///   is available again.
///
/// libpq blocks, so the store has its own threads, one for each connection.
public struct PostgresStore: RelyingPartyStore {
    /// The default number of connections.
    public static let defaultConnectionCount = 8

    /// The time limit of a statement about very many rows, such as those of a migration, and of the wait for another
    /// process that migrates.
    private static let patientLimit: Duration = .seconds(60 * 60)

    private let pool: PostgresPool
    private let session: PostgresSession
    /// The clock; nil for the database's own.
    private let clock: WallClock?
    let observedClock: ObservedClock

    private init(connectionCount: Int, session: PostgresSession, clock: WallClock?) {
        pool = PostgresPool(size: connectionCount, session: session)
        self.session = session
        self.clock = clock
        observedClock = ObservedClock(uptime: clock?.uptime ?? WallClock.systemUptime)
    }

    /// Connects, and migrates the schema `nightlatch` to this version. Creates the schema if it does not exist.
    ///
    /// Several processes may do so at the same time. If the schema is up to date, the role does not need the right to
    /// create tables.
    ///
    /// - Parameters:
    ///   - address: The database and the credentials.
    ///   - connectionCount: The maximum number of connections; one or more.
    ///   - logger: The log for the reason why the server was not reached. No statement, value or password is ever
    ///     logged.
    /// - Throws: `RelyingPartyStoreError`. The schema is then unchanged or completely migrated.
    public static func open(
        _ address: PostgresAddress,
        connectionCount: Int = defaultConnectionCount,
        logger: Logger = Logger(label: "nightlatch.postgres")
    ) async throws(RelyingPartyStoreError) -> PostgresStore {
        try await open(
            address, connectionCount: connectionCount, logger: logger, schema: "nightlatch",
            statementLimit: .seconds(5),
            clock: nil)
    }

    /// Like ``open(_:connectionCount:logger:)``, with another schema, time limit or clock.
    package static func open(
        _ address: PostgresAddress,
        connectionCount: Int = defaultConnectionCount,
        logger: Logger = Logger(label: "nightlatch.postgres"),
        schema: String,
        statementLimit: Duration,
        clock: WallClock?
    ) async throws(RelyingPartyStoreError) -> PostgresStore {
        let session = PostgresSession(
            address: address, schema: schema, log: ReachabilityLog(logger), statementLimit: statementLimit)
        let store = PostgresStore(connectionCount: max(1, connectionCount), session: session, clock: clock)
        do {
            if try await !store.isUpToDate(schema: schema) {
                // An index of a large table takes longer than a request may, and other processes wait for the
                // migration.
                let patient = store.patient
                defer { patient.close() }
                try await patient.migrate(schema: schema)
            }
            return store
        } catch {
            store.close()
            throw error
        }
    }

    /// A store with a connection of its own, for a transaction that the time limit of requests does not apply to.
    private var patient: PostgresStore {
        var session = session
        session.statementLimit = Self.patientLimit
        return PostgresStore(connectionCount: 1, session: session, clock: clock)
    }

    /// Closes the connections after the running verbs have finished. Later verbs throw.
    public func close() { pool.close() }

    /// Returns a setting of the session.
    package func setting(_ name: String) async throws(RelyingPartyStoreError) -> String? {
        try await read(measuredAs: nil) { transaction in
            try transaction.rows("SELECT current_setting($1) AS value", .text(name)).first?.text("value")
        }
    }

    /// Runs `transaction` completely or not at all. It may be called more than once.
    func write<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(RelyingPartyStoreError) in
            try await pool.run(writing: true, time: clock?.now(), transaction)
        }
    }

    /// Like ``write(measuredAs:_:)``, for a transaction that may change very many rows.
    func writePatiently<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        // Its connection ends with it. `close()` would block this thread until then.
        try await patient.write(measuredAs: verb, transaction)
    }

    /// Runs a verb with a single statement that reads.
    func read<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ statement: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(RelyingPartyStoreError) in
            try await pool.run(writing: false, time: clock?.now(), statement)
        }
    }

    /// Runs a frequent verb in one transaction with others. ``PostgresSharedVerb`` states which verbs may be shared.
    ///
    /// - Parameters:
    ///   - key: The key of a resource that only one verb may use.
    ///   - verb: The function that is measured.
    ///   - ask: Sends statements that read, and lock the row that the rule depends on. Returns a closure that decides
    ///     by their answers and writes.
    func shareWrite<Value: Sendable>(
        using key: String,
        measuredAs verb: String = #function,
        _ ask: @escaping @Sendable (PostgresTransaction) throws -> () throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(RelyingPartyStoreError) in
            try await pool.share(writing: true, time: clock?.now(), key: key, ask)
        }
    }

    /// Runs a frequent verb with a single statement that reads, in one round trip with others.
    func shareRead<Value: Sendable>(
        measuredAs verb: String = #function,
        _ ask: @escaping @Sendable (PostgresTransaction) throws -> () throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(RelyingPartyStoreError) in
            try await pool.share(writing: false, time: clock?.now(), key: nil, ask)
        }
    }
}
