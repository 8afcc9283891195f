import Foundation

/// A file that only its owner can read. It is written under a temporary name and gets its own name when it is complete.
///
/// Without ``publish()`` or ``replace()`` the file is removed with this object. A crash leaves at most the temporary
/// file, whose name ends in `.partial-` and a UUID. Bytes go through the open file: a process that replaces the
/// temporary name by a link changes no other file.
package final class NewFile {
    package let path: String
    package let temporaryPath: String
    package let descriptor: Int32

    /// Creates the temporary file, which is empty.
    package init(beside path: String) throws(NewFileError) {
        self.path = path
        temporaryPath = path + ".partial-" + UUID().uuidString
        descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw .failed(path: temporaryPath, errno: errno) }
    }

    deinit {
        // After `publish()` the file keeps its other name.
        _ = unsafe unlink(temporaryPath)
        _ = close(descriptor)
    }

    /// The folder of the file.
    package var folder: String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    /// Appends bytes to the temporary file.
    ///
    /// After an error the file may have a part of them; it must not be published.
    package func write(_ bytes: some Sequence<UInt8>) throws(NewFileError) {
        var left = Array(bytes)[...]
        // Ends: each round writes at least one byte.
        while !left.isEmpty {
            let written = unsafe left.withUnsafeBytes { bytes in
                unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { throw .failed(path: temporaryPath, errno: errno) }
            left = left.dropFirst(written)
        }
    }

    /// Puts the bytes on disk, and checks that the temporary name still is that of the open file.
    ///
    /// ``publish()`` and ``replace()`` do this too. A caller that holds a lock then calls it before.
    package func sync() throws(NewFileError) {
        guard fsync(descriptor) == 0 else { throw .failed(path: temporaryPath, errno: errno) }
        var (named, opened) = (stat(), stat())
        guard unsafe lstat(temporaryPath, &named) == 0, unsafe fstat(descriptor, &opened) == 0 else {
            throw .failed(path: temporaryPath, errno: errno)
        }
        guard named.st_ino == opened.st_ino, named.st_dev == opened.st_dev else {
            throw .failed(path: temporaryPath, errno: ESTALE)
        }
    }

    /// Gives the file its name, and returns when its bytes and its name are on disk.
    ///
    /// - Throws: `exists` if a file has this name; it is unchanged. After `failed` the name may exist, with all bytes.
    package func publish() throws(NewFileError) {
        try sync()
        guard unsafe link(temporaryPath, path) == 0 else {
            throw errno == EEXIST ? .exists(path: path) : .failed(path: path, errno: errno)
        }
        try syncFolder()
    }

    /// Replaces the file that has the name, in one step, and returns when bytes and name are on disk.
    ///
    /// - Throws: `failed`. The name then belongs to the earlier file, or to this one with all bytes.
    package func replace() throws(NewFileError) {
        try sync()
        guard unsafe rename(temporaryPath, path) == 0 else { throw .failed(path: path, errno: errno) }
        try syncFolder()
    }

    private func syncFolder() throws(NewFileError) {
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed(path: folder, errno: errno) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed(path: folder, errno: errno) }
    }
}

/// The reason why a file was not written.
package enum NewFileError: Error, Hashable, Sendable {
    /// There is already a file at this path, and it is kept.
    case exists(path: String)
    /// A system call failed with this `errno` at this path.
    case failed(path: String, errno: Int32)
}
