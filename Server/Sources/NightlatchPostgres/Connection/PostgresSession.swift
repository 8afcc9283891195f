import CPostgres

/// How a connection is made, and what holds on it.
struct PostgresSession: Sendable {
    let address: PostgresAddress
    /// The schema that all tables lie in.
    let schema: String
    let log: ReachabilityLog
    /// How long a statement may take, waiting for locks included.
    var statementLimit: Duration

    /// Settings of the session. Names are looked for in our schema alone, so nobody can slip a table of the same name in; a
    /// process that was stopped amid a transaction does not hold its locks for long.
    var settings: [(name: String, value: String)] {
        let limit = "\(Int((statementLimit / .milliseconds(1)).rounded(.up)))ms"
        return [
            ("search_path", "\"\(schema)\", pg_temp"), ("statement_timeout", limit), ("lock_timeout", limit),
            ("idle_in_transaction_session_timeout", limit), ("default_transaction_isolation", "read committed"),
        ]
    }

    /// A commit that was answered must be on disk, whatever the server was told. Stricter settings stay.
    static let durability = """
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
        """

    /// Connects. The caller finishes the handle, whether it is connected or not; it is nil if there is no memory.
    func connect() -> OpaquePointer? {
        // What stands before the address it may change; what stands behind it stays.
        let options = [
            ("connect_timeout", "5"), ("fallback_application_name", "nightlatch"), ("dbname", address.uri),
            ("client_encoding", "UTF8"),
        ]
        return unsafe Self.withCStrings(options.map(\.0), after: []) { names in
            unsafe Self.withCStrings(options.map(\.1), after: []) { values in unsafe PQconnectdbParams(names, values, 1)
            }
        }
    }

    /// Calls `body` with the texts as C has them: their addresses one after the other, with a null pointer at the end.
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
