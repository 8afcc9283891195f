package import Foundation
import GRDB
import NightlatchRelyingParty

extension SQLiteBackup {
    /// Replaces the database at `path` with the copy, in one step, and keeps the earlier database under another name.
    ///
    /// No server may run. The copy is not changed. After an error the earlier database is at `path`, as it was. After a
    /// crash the earlier database is at `path`, or the copy is, and it is complete. Only a damaged database may have
    /// lost its log then: the log is beside the other name.
    ///
    /// - Parameters:
    ///   - copy: A file that ``write(_:to:)`` wrote.
    ///   - path: The path of the database. There may be no file.
    ///   - now: The time for the name of the earlier database.
    /// - Returns: The contents of the copy, and the path of the earlier database; nil if there was none.
    /// - Throws: ``SQLiteBackupError``; `inUse` if a process has the database open, `unmerged` if the copy is not the
    ///   whole of a database.
    package static func restore(
        _ copy: String, to path: String, now: Date
    ) throws(SQLiteBackupError) -> (contents: Contents, earlier: String?) {
        // A path with a link is replaced behind the link, so that the link stays.
        let path = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        for log in logs where try size(of: copy + log) > 0 { throw .unmerged(log: copy + log) }
        return try SQLiteBackupError.wrapping { () -> (contents: Contents, earlier: String?) in
            let file = try NewFile(beside: path)
            defer { removeLogs(of: file.temporaryPath) }
            try file.fill(from: copy)
            let contents = try verify(file.temporaryPath)
            try file.giveToOwner(of: FileManager.default.fileExists(atPath: path) ? path : file.folder)
            try file.sync()
            // Taken last, so that the lock is held only for a moment: a server that starts now would wait for it.
            guard let lock = try DatabaseLock(path: path) else {
                for log in logs where try size(of: path + log) > 0 { throw SQLiteBackupError.unmerged(log: path + log) }
                try file.publish()
                return (contents, nil)
            }
            defer { lock.release() }
            let earlier = try keep(path, as: path + ".before-restore-" + stamp(of: now))
            do {
                try file.replace()
            } catch {
                undo(earlier, of: path)
                throw error
            }
            return (contents, earlier)
        }
    }

    /// The files beside a database in which SQLite keeps what is not in the database yet.
    private static let logs = ["-wal", "-journal"]

    private static func size(of path: String) throws(SQLiteBackupError) -> Int {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return 0 }
            throw .failed(path: path, errno: errno)
        }
        return Int(status.st_size)
    }

    private static func stamp(of time: Date) -> String {
        time.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt))
    }

    /// Gives the database at `path` a second name, and moves its logs beside that name.
    ///
    /// - Returns: The second name: `name`, or `name` with a number if that is taken.
    private static func keep(_ path: String, as name: String) throws(SQLiteBackupError) -> String {
        for number in 1...9 {
            let earlier = number == 1 ? name : "\(name)-\(number)"
            guard unsafe link(path, earlier) == 0 else {
                if errno == EEXIST { continue }
                throw .failed(path: earlier, errno: errno)
            }
            // SQLite would copy the contents of a log that is left here into the restored database.
            for log in logs {
                guard unsafe rename(path + log, earlier + log) == 0 || errno == ENOENT else {
                    let number = errno
                    undo(earlier, of: path)
                    throw .failed(path: earlier + log, errno: number)
                }
            }
            return earlier
        }
        throw .exists(path: name)
    }

    /// Takes the second name away again. A file with two names would be two databases for SQLite.
    private static func undo(_ earlier: String, of path: String) {
        for log in logs { _ = unsafe rename(earlier + log, path + log) }
        _ = unsafe unlink(earlier)
    }
}

extension NewFile {
    /// Fills the temporary file with the bytes of the file at `source`.
    fileprivate func fill(from source: String) throws(SQLiteBackupError) {
        let from = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw errno == ENOENT ? .missing(path: source) : .failed(path: source, errno: errno) }
        defer { _ = close(from) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        // Ends: at the end of the file.
        while true {
            let count = unsafe Foundation.read(from, &piece, piece.count)
            guard count >= 0 else { throw .failed(path: source, errno: errno) }
            if count == 0 { return }
            try SQLiteBackupError.wrapping { try write(piece.prefix(count)) }
        }
    }

    /// Gives the file to the owner of the file or folder at `model`, if this process may do so.
    ///
    /// An administrator who restores a database thus leaves a file that the server's user can open.
    fileprivate func giveToOwner(of model: String) throws(SQLiteBackupError) {
        var status = stat()
        guard geteuid() == 0 else { return }
        guard unsafe lstat(model, &status) == 0 else { throw .failed(path: model, errno: errno) }
        guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
            throw .failed(path: temporaryPath, errno: errno)
        }
    }
}

/// SQLite's exclusive lock on a database file, as SQLite takes it ([lock-byte
/// page](https://www.sqlite.org/fileformat2.html#the_lock_byte_page)).
///
/// It does not open the database, so it also works for a damaged file. Every connection in WAL mode holds a shared lock
/// on the file while it is open.
private struct DatabaseLock {
    private let descriptor: Int32

    /// Takes the lock. Nil if there is no file.
    ///
    /// - Throws: `inUse` if another process has the database open.
    init?(path: String) throws(SQLiteBackupError) {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try Self.emptyLog(of: path)
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .failed(path: path, errno: errno) }
        // The bytes from PENDING_BYTE to the last shared byte.
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 0x4000_0000
        range.l_len = 512
        guard unsafe fcntl(descriptor, F_SETLK, &range) == 0 else {
            let number = errno
            release()
            throw [EAGAIN, EACCES].contains(number) ? .inUse : .failed(path: path, errno: number)
        }
    }

    func release() { _ = close(descriptor) }

    /// Copies the log of an undamaged database into its file, so that the file alone is the database.
    ///
    /// SQLite does so when the last connection that can write closes. It would remove the log of a damaged database, so
    /// a connection that cannot write looks first.
    private static func emptyLog(of path: String) throws(SQLiteBackupError) {
        guard FileManager.default.fileExists(atPath: path + "-wal") else { return }
        do {
            try SQLiteFile.reader(at: path).unsafeRead { _ = try SQLiteSchema.appliedMigrations($0) }
            try SQLiteFile.writer(at: path).close()
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            // ``SQLiteBackup/restore(_:to:now:)`` keeps both files.
        } catch {
            throw .store(RelyingPartyStoreError(error))
        }
    }
}
