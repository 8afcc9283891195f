import CPostgres

/// The parameters of a connection.
struct PostgresSession: Sendable {
    let address: PostgresAddress
    /// The schema of all tables.
    let schema: String
    let log: ReachabilityLog
    /// The time limit of a statement, including its wait for locks.
    var statementLimit: Duration

    /// The settings of the session.
    ///
    /// The search path has only Nightlatch's schema, so that no table of the same name in another schema is used. The
    /// idle limit releases the locks of a process that stopped in the middle of a transaction.
    var settings: [(name: String, value: String)] {
        let limit = "\(Int((statementLimit / .milliseconds(1)).rounded(.up)))ms"
        return [
            ("search_path", "\"\(schema)\", pg_temp"), ("statement_timeout", limit), ("lock_timeout", limit),
            ("idle_in_transaction_session_timeout", limit), ("default_transaction_isolation", "read committed"),
        ]
    }

    /// The statement that ensures that a confirmed commit is on disk, even if the server's configuration does not. A
    /// stricter configuration stays in effect.
    static let durability = """
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
        """

    /// Connects. Returns nil if there is no memory. The caller must finish the handle even if the connection failed.
    func connect() -> OpaquePointer? {
        // The URI may override options before it, but not those after it.
        let options = [
            ("connect_timeout", "5"), ("fallback_application_name", "nightlatch"), ("dbname", address.uri),
            ("client_encoding", "UTF8"),
        ]
        return unsafe Self.withCStrings(options.map(\.0), after: []) { names in
            unsafe Self.withCStrings(options.map(\.1), after: []) { values in unsafe PQconnectdbParams(names, values, 1)
            }
        }
    }

    /// Calls `body` with the texts as a null-terminated array of C strings.
    private static func withCStrings<Value>(
        _ texts: [String],
        after pointers: [UnsafePointer<CChar>?],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        guard let first = texts.first else { return unsafe body(pointers + [nil]) }
        return unsafe first.withCString { pointer in
            unsafe withCStrings(Array(texts.dropFirst()), after: pointers + [pointer], body)
        }
    }
}
