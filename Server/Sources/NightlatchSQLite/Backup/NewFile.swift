import Foundation

/// A file that is written under a temporary name and gets its own name when it is complete.
///
/// A crash leaves at most the temporary file, whose name ends in `.partial-` and a UUID. Everything but SQLite's own
/// writing goes through the open file: a process that replaces the temporary name by a link changes no other file.
struct NewFile: ~Copyable {
    let path: String
    let temporaryPath: String
    private let descriptor: Int32

    /// Creates the temporary file, which is empty and which only its owner can read.
    init(beside path: String) throws(SQLiteBackupError) {
        self.path = path
        temporaryPath = path + ".partial-" + UUID().uuidString
        descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw .failed(path: temporaryPath, errno: errno) }
    }

    /// Removes the temporary name, if it is still there, and what SQLite has left beside it.
    deinit {
        for name in [temporaryPath, temporaryPath + "-wal", temporaryPath + "-shm"] { _ = unsafe unlink(name) }
        _ = close(descriptor)
    }

    /// Fills the temporary file with the bytes of the file at `source`.
    func fill(from source: String) throws(SQLiteBackupError) {
        let from = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw errno == ENOENT ? .missing(path: source) : .failed(path: source, errno: errno) }
        defer { _ = close(from) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        // Ends: at the end of the file.
        while true {
            let count = unsafe Foundation.read(from, &piece, piece.count)
            guard count >= 0 else { throw .failed(path: source, errno: errno) }
            if count == 0 { return }
            var left = piece.prefix(count)
            while !left.isEmpty {
                let written = unsafe left.withUnsafeBytes { bytes in
                    unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count)
                }
                guard written > 0 else { throw .failed(path: temporaryPath, errno: errno) }
                left = left.dropFirst(written)
            }
        }
    }

    /// Gives the file to the owner of the file or folder at `model`, if this process may do so.
    ///
    /// An administrator who restores a database thus leaves a file that the server's user can open.
    func giveToOwner(of model: String) throws(SQLiteBackupError) {
        var status = stat()
        guard geteuid() == 0 else { return }
        guard unsafe lstat(model, &status) == 0 else { throw .failed(path: model, errno: errno) }
        guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
            throw .failed(path: temporaryPath, errno: errno)
        }
    }

    /// Returns when the bytes of the file are on disk.
    func sync() throws(SQLiteBackupError) {
        guard fsync(descriptor) == 0 else { throw .failed(path: temporaryPath, errno: errno) }
    }

    /// Gives the file its name, and returns when the name is on disk.
    ///
    /// - Throws: `exists` if a file has this name.
    func publish() throws(SQLiteBackupError) {
        try requireOwnName()
        guard unsafe link(temporaryPath, path) == 0 else {
            throw errno == EEXIST ? .exists(path: path) : .failed(path: path, errno: errno)
        }
        try syncFolder()
    }

    /// Replaces the file that has the name, in one step, and returns when this is on disk.
    func replace() throws(SQLiteBackupError) {
        try requireOwnName()
        guard unsafe rename(temporaryPath, path) == 0 else { throw .failed(path: path, errno: errno) }
        try syncFolder()
    }

    /// The folder of the file.
    var folder: String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    /// Checks that the temporary name still is that of the open file.
    private func requireOwnName() throws(SQLiteBackupError) {
        var (named, opened) = (stat(), stat())
        guard unsafe lstat(temporaryPath, &named) == 0, unsafe fstat(descriptor, &opened) == 0 else {
            throw .failed(path: temporaryPath, errno: errno)
        }
        guard named.st_ino == opened.st_ino, named.st_dev == opened.st_dev else {
            throw .failed(path: temporaryPath, errno: ESTALE)
        }
    }

    private func syncFolder() throws(SQLiteBackupError) {
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed(path: folder, errno: errno) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed(path: folder, errno: errno) }
    }
}
