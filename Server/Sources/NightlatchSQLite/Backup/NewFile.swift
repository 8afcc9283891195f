import Foundation

/// A file that is written under a temporary name and gets its own name when it is complete.
///
/// A crash leaves at most the temporary file, whose name ends in `.partial-` and a UUID.
struct NewFile {
    let path: String
    let temporaryPath: String

    /// Creates the temporary file, which is empty and which only its owner can read.
    init(beside path: String) throws(SQLiteBackupError) {
        self.path = path
        temporaryPath = path + ".partial-" + UUID().uuidString
        let descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw .failed(path: temporaryPath, errno: errno) }
        _ = close(descriptor)
    }

    /// Fills the temporary file with the bytes of the file at `source`.
    func fill(from source: String) throws(SQLiteBackupError) {
        let from = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw errno == ENOENT ? .missing(path: source) : .failed(path: source, errno: errno) }
        defer { _ = close(from) }
        let to = unsafe open(temporaryPath, O_WRONLY | O_CLOEXEC)
        guard to >= 0 else { throw .failed(path: temporaryPath, errno: errno) }
        defer { _ = close(to) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        // Ends: at the end of the file.
        while true {
            let count = unsafe Foundation.read(from, &piece, piece.count)
            guard count >= 0 else { throw .failed(path: source, errno: errno) }
            if count == 0 { return }
            var left = piece.prefix(count)
            while !left.isEmpty {
                let written = unsafe left.withUnsafeBytes { unsafe Foundation.write(to, $0.baseAddress, $0.count) }
                guard written > 0 else { throw .failed(path: temporaryPath, errno: errno) }
                left = left.dropFirst(written)
            }
        }
    }

    /// Gives the temporary file to the owner of the file or folder at `model`, if this process may do so.
    ///
    /// An administrator who restores a database thereby leaves a file that the server's user can open.
    func giveToOwner(of model: String) throws(SQLiteBackupError) {
        var status = stat()
        guard geteuid() == 0 else { return }
        guard unsafe stat(model, &status) == 0 else { throw .failed(path: model, errno: errno) }
        guard unsafe chown(temporaryPath, status.st_uid, status.st_gid) == 0 else {
            throw .failed(path: temporaryPath, errno: errno)
        }
    }

    /// Returns when the bytes of the temporary file are on disk.
    func sync() throws(SQLiteBackupError) { try Self.sync(temporaryPath) }

    /// Gives the file its name, and returns when the name is on disk.
    ///
    /// - Throws: `exists` if a file has this name.
    func publish() throws(SQLiteBackupError) {
        guard unsafe link(temporaryPath, path) == 0 else {
            throw errno == EEXIST ? .exists(path: path) : .failed(path: path, errno: errno)
        }
        try syncFolder()
    }

    /// Gives the file its name in the place of a file that has it, in one step, and returns when this is on disk.
    func replace() throws(SQLiteBackupError) {
        guard unsafe rename(temporaryPath, path) == 0 else { throw .failed(path: path, errno: errno) }
        try syncFolder()
    }

    /// Removes the temporary name, if it is still there.
    func removeTemporary() { _ = unsafe unlink(temporaryPath) }

    /// The folder of the file.
    var folder: String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    private func syncFolder() throws(SQLiteBackupError) { try Self.sync(folder) }

    private static func sync(_ path: String) throws(SQLiteBackupError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed(path: path, errno: errno) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed(path: path, errno: errno) }
    }
}
