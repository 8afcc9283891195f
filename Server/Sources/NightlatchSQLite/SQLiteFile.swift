import Foundation
import GRDB
import NightlatchRelyingParty

/// Creates and opens the file of a ``SQLiteStore``.
enum SQLiteFile {
    /// Creates an empty file that only its owner can read, unless the file exists.
    ///
    /// SQLite gives the same permissions to the other files that it creates next to it.
    ///
    /// A symbolic link to an existing file is followed. A link without a target is an error, and no file is created
    /// behind it.
    static func create(at path: String) throws(RelyingPartyStoreError) {
        var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        // Opens without waiting for the other end of a pipe.
        if descriptor < 0, errno == EEXIST { descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
        if descriptor >= 0 {
            defer { _ = close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw RelyingPartyStoreError(.unavailable)
            }
            return
        }
        switch errno {
        case EROFS, EACCES, EPERM: throw RelyingPartyStoreError(.readOnly)
        case ENOSPC, EDQUOT: throw RelyingPartyStoreError(.full)
        default: throw RelyingPartyStoreError(.unavailable)
        }
    }

    /// Opens the pool, with retries.
    ///
    /// Another process that opens the file at the same time may hold the lock that turning on WAL needs, and SQLite
    /// does not wait for that lock. Or that process may be creating the files next to the database file.
    static func pool(at path: String) throws -> DatabasePool {
        let end = ContinuousClock.now + .seconds(lockPatience)
        // Ends: at `end`.
        while true {
            do {
                return try openOnce(path)
            } catch let error as DatabaseError
                where [.SQLITE_BUSY, .SQLITE_CANTOPEN].contains(error.resultCode) && ContinuousClock.now < end
            {
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// The longest wait for a lock of another process, in seconds.
    static let lockPatience = 5

    private static func openOnce(_ path: String) throws -> DatabasePool {
        try requireKnownSchema(path)
        var configuration = Configuration()
        configuration.label = "nightlatch"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(TimeInterval(lockPatience))
        let pool = try DatabasePool(path: path, configuration: configuration)
        // When the pool turns WAL on, it sets `synchronous` to NORMAL. A power failure could then undo the record of a
        // used challenge.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Every login writes the same pages. SQLite copies them from the log to the file after 16 MiB of log
            // instead of 4 MiB.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
        }
        return pool
    }

    /// Checks the schema version before the pool opens the file, because a pool writes to the file at once.
    ///
    /// A file of a later version stays unchanged.
    private static func requireKnownSchema(_ path: String) throws {
        let queue = try reader(at: path)
        try queue.read { database in _ = try SQLiteSchema.appliedMigrations(database) }
        try queue.close()
    }

    /// Opens a connection that cannot write. The file must exist. SQLite's two other files may stay beside it.
    static func reader(at path: String) throws -> DatabaseQueue { try connection(at: path, readonly: true) }

    /// Opens a connection that can write, without changing the file. If it is the last one, its closing removes
    /// SQLite's two other files.
    static func writer(at path: String) throws -> DatabaseQueue { try connection(at: path, readonly: false) }

    private static func connection(at path: String, readonly: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(TimeInterval(lockPatience))
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
