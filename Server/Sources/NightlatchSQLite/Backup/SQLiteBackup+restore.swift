package import Foundation
import GRDB
import NightlatchRelyingParty

extension SQLiteBackup {
    /// Replaces the database at `path` with the copy, in one step, and keeps the earlier database under another name.
    ///
    /// No server may run. The copy is not changed. After a crash or an error the earlier database is at `path`, or the
    /// copy is, and it is complete.
    ///
    /// - Parameters:
    ///   - copy: A file that ``write(_:to:)`` wrote.
    ///   - path: The path of the database. There may be no file.
    ///   - now: The time for the name of the earlier database.
    /// - Returns: What the copy contains, and the path of the earlier database; nil if there was none.
    /// - Throws: ``SQLiteBackupError``; `inUse` if a process has the database open.
    package static func restore(
        _ copy: String, to path: String, now: Date
    ) throws(SQLiteBackupError) -> (contents: Contents, earlier: String?) {
        // A path with a link is replaced behind the link, so that the link stays.
        let path = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let file = try NewFile(beside: path)
        defer { file.removeTemporary() }
        try file.fill(from: copy)
        let contents = try verify(file.temporaryPath)
        guard let lock = try DatabaseLock(path: path) else {
            try file.giveToOwner(of: file.folder)
            try file.sync()
            try file.publish()
            return (contents, nil)
        }
        defer { lock.release() }
        try file.giveToOwner(of: path)
        try file.sync()
        let stamp = now.formatted(
            .verbatim(
                "\(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)T\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)Z",
                timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
        let earlier = try keep(path, as: path + ".before-restore-" + stamp)
        try file.replace()
        return (contents, earlier)
    }

    /// Gives the database at `path` a second name, and moves its log beside that name.
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
            guard unsafe rename(path + "-wal", earlier + "-wal") == 0 || errno == ENOENT else {
                throw .failed(path: earlier + "-wal", errno: errno)
            }
            return earlier
        }
        throw .exists(path: name)
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
        try Self.emptyLog(of: path)
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed(path: path, errno: errno)
        }
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
