import GRDB
import GRDBSQLite

/// A cached prepared statement of a connection, run directly with SQLite's C API.
///
/// GRDB would wrap the rows and arguments, which takes longer than running the statements of a login.
///
/// Reading invalid content from a row throws; it does not trap.
struct KeptStatement {
    private let statement: Statement

    /// A value for one parameter (`?`) of the statement.
    enum Value {
        case text(String)
        case integer(Int)
        case blob([UInt8])
        case null
    }

    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
    }

    /// Runs a statement that returns no rows.
    func run(_ values: Value...) throws {
        try run(values: values)
    }

    /// Like ``run(_:)``, with the values as an array.
    func run(values: [Value]) throws {
        _ = try step(values) { _ in }
    }

    /// Runs the statement, and returns the first row converted by `read`; nil if there is none.
    func first<Result>(_ values: Value..., read: (KeptRow) throws -> Result) throws -> Result? {
        try step(values, read)
    }

    /// Runs the statement, and returns all rows in order, each converted by `read`.
    func all<Result>(_ values: Value..., read: (KeptRow) throws -> Result) throws -> [Result] {
        try all(values: values, read: read)
    }

    /// Like ``all(_:read:)``, with the values as an array.
    func all<Result>(values: [Value], read: (KeptRow) throws -> Result) throws -> [Result] {
        defer { reset() }
        try bind(values)
        var results: [Result] = []
        while try isAtRow() { results.append(try read(KeptRow(statement))) }
        return results
    }

    /// Runs `operations` in a transaction that takes the write lock at its start, and commits it or rolls it back.
    ///
    /// Like GRDB's `inTransaction`, but does not compile its statements each time.
    static func inTransaction(_ database: Database, _ operations: () throws -> Void) throws {
        try Self("BEGIN IMMEDIATE", in: database).run()
        do {
            try operations()
            try Self("COMMIT", in: database).run()
        } catch {
            // After some errors SQLite has already rolled back.
            if database.isInsideTransaction { try database.rollback() }
            throw error
        }
    }

    private func step<Result>(_ values: [Value], _ read: (KeptRow) throws -> Result) throws -> Result? {
        defer { reset() }
        try bind(values)
        return try isAtRow() ? try read(KeptRow(statement)) : nil
    }

    private func bind(_ values: [Value]) throws {
        for (index, value) in values.enumerated() {
            let code = unsafe value.bind(to: statement.sqliteStatement, at: CInt(index + 1))
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    /// Advances to the next row; returns whether there is one.
    private func isAtRow() throws -> Bool {
        let handle = unsafe statement.sqliteStatement
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let code = unsafe sqlite3_extended_errcode(sqlite3_db_handle(handle))
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    /// Resets the statement. SQLite keeps its own copy of bound text until other text is bound.
    private func reset() {
        unsafe sqlite3_reset(statement.sqliteStatement)
    }
}

extension KeptStatement.Value {
    fileprivate func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
        // Makes SQLite copy the bound value.
        let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch self {
        case .text(let text): unsafe bind(text, to: statement, at: place, copying)
        case .integer(let integer): unsafe sqlite3_bind_int64(statement, place, Int64(integer))
        case .blob(let bytes): unsafe sqlite3_bind_blob(statement, place, bytes, CInt(bytes.count), copying)
        case .null: unsafe sqlite3_bind_null(statement, place)
        }
    }

    /// Binds a text without an extra copy: Swift would copy the text to pass it to C, and SQLite would copy it again.
    private func bind(
        _ text: String,
        to statement: SQLiteStatement,
        at place: CInt,
        _ copying: sqlite3_destructor_type
    ) -> CInt {
        var text = text
        return text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                // A null address would bind null.
                guard let start = bytes.baseAddress else {
                    return unsafe sqlite3_bind_text(statement, place, "", 0, copying)
                }
                return unsafe sqlite3_bind_text(statement, place, start, CInt(bytes.count), copying)
            }
        }
    }
}
