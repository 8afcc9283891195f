import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file. It closes when its owner releases it, which also releases its lock.
struct FileDescriptor: ~Copyable {
    private let number: Int32

    private init(opening path: String, _ flags: Int32) throws(StoreError) {
        number = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw StoreError(errno: errno) }
    }

    /// Opens the file `path`. Its last component must not be a symbolic link.
    ///
    /// A new file is readable and writable by its owner alone. Programs that this process starts do not inherit the
    /// descriptor.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/refused`` if it is not a regular file. Opening or reading a
    ///   pipe could otherwise wait for a writer.
    static func file(_ path: String, _ flags: Int32) throws(StoreError) -> FileDescriptor {
        let descriptor = try FileDescriptor(opening: path, flags | O_NOFOLLOW | O_NONBLOCK)
        guard try descriptor.status().st_mode & S_IFMT == S_IFREG else { throw StoreError(.refused) }
        return descriptor
    }

    /// Opens the folder `path`. Programs that this process starts do not inherit the descriptor.
    static func folder(_ path: String) throws(StoreError) -> FileDescriptor {
        try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }

    deinit {
        close(number)
    }

    private borrowing func status() throws(StoreError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw StoreError(errno: errno) }
        return status
    }

    /// The file's owner and permissions.
    borrowing func access() throws(StoreError) -> (owner: uid_t, mode: mode_t) {
        let status = try status()
        return (status.st_uid, status.st_mode & 0o777)
    }

    /// Reads the file, up to `byteCountLimit` bytes.
    borrowing func read(byteCountLimit: Int) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < byteCountLimit {
            let wanted = min(chunk.count, byteCountLimit - bytes.count)
            let count = unsafe systemRead(number, &chunk, wanted)
            if count < 0 {
                guard errno == EINTR else { throw StoreError(errno: errno) }
                continue
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }

    borrowing func write(_ bytes: [UInt8]) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(number, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw StoreError(errno: errno) }
                continue
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether `path` is a name of this file, and its only name if `alone` is true.
    borrowing func isNamed(by path: String, alone: Bool) throws(StoreError) -> Bool {
        let own = try status()
        var found = stat()
        guard unsafe lstat(path, &found) == 0 else {
            if errno == ENOENT { return false }
            throw StoreError(errno: errno)
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino && (!alone || own.st_nlink == 1)
    }

    /// Overwrites the whole file with zeros and forces them onto the disk, if the file has no name.
    ///
    /// - Precondition: This descriptor has written nothing.
    borrowing func overwrite() throws(StoreError) {
        let status = try status()
        // A file that has received another name is a user's copy.
        guard status.st_nlink == 0 else { return }
        try write([UInt8](repeating: 0, count: Int(status.st_size)))
        try synchronize()
    }

    /// Waits until all written data is on the disk.
    borrowing func synchronize(by synchronization: DiskSynchronization = .system) throws(StoreError) {
        try synchronization.run(number)
    }

    /// Takes the lock, unless another descriptor holds it. Does not wait.
    ///
    /// - Returns: Whether the lock was taken.
    borrowing func tryLock() throws(StoreError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw StoreError(errno: errno) }
        }
        return true
    }
}

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, buffer, count)
}

private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, buffer, count)
}

extension StoreError {
    /// Creates the error for a system call on a file, from `errno`.
    ///
    /// - Parameter areProtected: Whether the system protects files while the device is locked. If so, EPERM means that
    ///   the device is locked now. Wrong permissions give EACCES.
    package init(errno number: Int32, whereFilesAreProtected areProtected: Bool = SystemFiles.areProtectedWhileLocked) {
        let code: Code =
            switch number {
            case EPERM where areProtected: .unavailable
            case ENOSPC, EDQUOT, EFBIG: .full
            // ENXIO: the file is a socket.
            case EACCES, EPERM, EROFS, ELOOP, ENOTDIR, EISDIR, ENXIO: .refused
            default: .unavailable
            }
        self.init(code, systemStatus: number)
    }
}
