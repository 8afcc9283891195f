package import NightlatchRelyingParty

/// The reason why a copy was not written, verified or restored. The database is then unchanged.
package enum SQLiteBackupError: Error, Hashable, Sendable {
    /// There is no file at this path.
    case missing(path: String)
    /// There is already a file at this path, and it is kept.
    case exists(path: String)
    /// SQLite found these defects.
    case damaged([String])
    /// The file is a database of another program, or an empty one.
    case foreign
    /// This log beside a database is not empty: the database's file alone is not the whole database.
    case unmerged(log: String)
    /// A process has the database open. Stop every server first.
    case inUse
    /// A system call failed with this `errno` at this path.
    case failed(path: String, errno: Int32)
    /// The database could not be read.
    case store(RelyingPartyStoreError)

    /// Runs `body`, whose errors are errors of SQLite, of a new file, or of this type.
    static func wrapping<Value>(_ body: () throws -> Value) throws(SQLiteBackupError) -> Value {
        do {
            return try body()
        } catch let error as SQLiteBackupError {
            throw error
        } catch let error as NewFileError {
            switch error {
            case .exists(let path): throw .exists(path: path)
            case .failed(let path, let errno): throw .failed(path: path, errno: errno)
            }
        } catch {
            let error = RelyingPartyStoreError(error)
            throw error.kind == .corrupt ? .damaged([]) : .store(error)
        }
    }
}
