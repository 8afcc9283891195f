import Foundation
import GRDB
import NightlatchRelyingParty

/// Making and opening the file of a ``SQLiteStore``.
enum SQLiteFile {
    /// Makes an empty file that its owner alone may read, unless there is one. SQLite gives the files it puts beside it the
    /// same permissions.
    ///
    /// A link under the name is followed to a file that is there; one that leads to none is an error, and nothing is made behind it.
    static func create(at path: String) throws(StoreError) {
        var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        // Without waiting for the other end of a pipe.
        if descriptor < 0, errno == EEXIST { descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
        if descriptor >= 0 {
            defer { _ = close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw StoreError(.unavailable)
            }
            return
        }
        switch errno {
        case EROFS, EACCES, EPERM: throw StoreError(.readOnly)
        case ENOSPC, EDQUOT: throw StoreError(.full)
        default: throw StoreError(.unavailable)
        }
    }

    /// Opens the pool. A process that opens at the same moment may hold the lock that turning on WAL needs, for which SQLite
    /// does not wait, or put the files beside it in place; so opening is tried for a while.
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

    /// How many seconds a lock of another process is waited for.
    static let lockPatience = 5

    private static func openOnce(_ path: String) throws -> DatabasePool {
        try requireKnownSchema(path)
        var configuration = Configuration()
        configuration.label = "nightlatch"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(TimeInterval(lockPatience))
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL when it turns WAL on: a power cut could then bring a used challenge back to life.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // The pages that every login writes go to the file once for some 16 MiB of log, not once for four.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
        }
        return pool
    }

    /// A pool writes into the file as soon as it opens it. What a later version wrote is left alone, so it is looked at before.
    private static func requireKnownSchema(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(TimeInterval(lockPatience))
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { database in _ = try SQLiteSchema.appliedMigrations(database) }
        try queue.close()
    }
}
