import GRDB
import GRDBSQLite

/// A statement that its connection keeps, run as SQLite runs it: those of a login take less time than it takes to wrap their rows and
/// arguments. Whatever stands in a row, reading it throws and does not trap.
struct KeptStatement {
    private let statement: Statement

    /// What stands in the place of a question mark.
    enum Value {
        case text(String)
        case integer(Int)
        case blob([UInt8])
        case null
    }

    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
    }

    /// Runs the statement, which gives no rows.
    func run(_ values: Value...) throws {
        _ = try step(values) { _ in }
    }

    /// What `read` makes of the first row; nil if there is none.
    func first<Result>(_ values: Value..., read: (KeptRow) throws -> Result) throws -> Result? {
        try step(values, read)
    }

    /// What `read` makes of each row, in their order.
    func all<Result>(_ values: Value..., read: (KeptRow) throws -> Result) throws -> [Result] {
        try all(values: values, read: read)
    }

    /// As ``all(_:read:)``, for a statement that is put together with what stands in the place of its question marks.
    func all<Result>(values: [Value], read: (KeptRow) throws -> Result) throws -> [Result] {
        defer { reset() }
        try bind(values)
        var results: [Result] = []
        while try isAtRow() { results.append(try read(KeptRow(statement))) }
        return results
    }

    /// Runs `operations` in a transaction that has the write lock from its start, whole or not at all. As GRDB's `inTransaction`, without
    /// compiling its statements each time.
    static func inTransaction(_ database: Database, _ operations: () throws -> Void) throws {
        try Self("BEGIN IMMEDIATE", in: database).run()
        do {
            try operations()
            try Self("COMMIT", in: database).run()
        } catch {
            // Some failures have SQLite roll back by itself.
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

    /// Goes on to the next row, and tells whether there is one.
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

    /// Bound text is SQLite's own copy, and stays until other text takes its place.
    private func reset() {
        unsafe sqlite3_reset(statement.sqliteStatement)
    }
}

extension KeptStatement.Value {
    fileprivate func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
        // Tells SQLite to copy what is bound.
        let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch self {
        case .text(let text): unsafe bind(text, to: statement, at: place, copying)
        case .integer(let integer): unsafe sqlite3_bind_int64(statement, place, Int64(integer))
        case .blob(let bytes): unsafe sqlite3_bind_blob(statement, place, bytes, CInt(bytes.count), copying)
        case .null: unsafe sqlite3_bind_null(statement, place)
        }
    }

    /// A text that is handed to C as such is copied before SQLite copies it.
    private func bind(
        _ text: String,
        to statement: SQLiteStatement,
        at place: CInt,
        _ copying: sqlite3_destructor_type
    ) -> CInt {
        var text = text
        return text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                // Without an address it would be null.
                guard let start = bytes.baseAddress else {
                    return unsafe sqlite3_bind_text(statement, place, "", 0, copying)
                }
                return unsafe sqlite3_bind_text(statement, place, start, CInt(bytes.count), copying)
            }
        }
    }
}
