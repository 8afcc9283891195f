import Foundation
import GRDB
import NightlatchRelyingParty

/// Copies the database of a ``SQLiteStore`` to a file, and replaces the database by such a copy.
///
/// A copy contains public keys, hashes, sealed keys, and the names of users and devices. It contains no master key, and
/// without the master key it is of no use.
package enum SQLiteBackup {
    /// The numbers of records in a verified copy.
    package struct Contents: Hashable, Sendable {
        package let userCount: Int
        package let deviceCount: Int
        package let auditEntryCount: Int
    }

    /// Writes the state of the database at one moment to a new file that only its owner can read.
    ///
    /// Servers may run. The file is verified as by ``verify(_:)`` before it gets its name, so a crash or an error
    /// leaves no file of this name. Pages that SQLite has freed are not copied, so destroyed keys are not in the copy.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - copy: The path of the new file.
    /// - Throws: ``SQLiteBackupError``; `exists` if there is a file at `copy`, which is then unchanged.
    package static func write(_ path: String, to copy: String) throws(SQLiteBackupError) -> Contents {
        guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
        guard !FileManager.default.fileExists(atPath: copy) else { throw .exists(path: copy) }
        return try SQLiteBackupError.wrapping {
            let file = try NewFile(beside: copy)
            defer { removeLogs(of: file.temporaryPath) }
            let database = try SQLiteFile.writer(at: path)
            // SQLite writes into an existing file if it is empty.
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [file.temporaryPath])
            }
            try database.close()
            let contents = try verify(file.temporaryPath)
            try file.publish()
            return contents
        }
    }

    /// Removes what SQLite has left beside a temporary file.
    static func removeLogs(of temporaryPath: String) {
        for log in ["-wal", "-shm"] { _ = unsafe unlink(temporaryPath + log) }
    }

    /// Opens the copy at `path` and verifies it: its schema, each page and index, and all references between rows.
    ///
    /// It does not verify the audit log. The file is not changed.
    ///
    /// - Throws: ``SQLiteBackupError``; `damaged` if SQLite finds a defect.
    package static func verify(_ path: String) throws(SQLiteBackupError) -> Contents {
        try SQLiteBackupError.wrapping {
            let database = try SQLiteFile.reader(at: path)
            return try database.unsafeRead { database in
                let defects = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
                guard defects == ["ok"] else { throw SQLiteBackupError.damaged(defects) }
                let violations = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
                guard violations.isEmpty else {
                    throw SQLiteBackupError.damaged(["\(violations.count) rows refer to rows that do not exist"])
                }
                guard try !SQLiteSchema.appliedMigrations(database).isEmpty else { throw SQLiteBackupError.foreign }
                return Contents(
                    userCount: try count("user", in: database), deviceCount: try count("device", in: database),
                    auditEntryCount: try count("audit_entry", in: database))
            }
        }
    }

    /// The number of rows; 0 in a copy from a version that had no such table.
    private static func count(_ table: String, in database: Database) throws -> Int {
        guard try database.tableExists(table) else { return 0 }
        return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
    }
}
