import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file, closed when its owner lets it go. Locks that it holds go with it.
struct FileDescriptor: ~Copyable {
    private let number: Int32

    private init(opening path: String, _ flags: Int32) throws(StoreError) {
        number = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw StoreError(errno: errno) }
    }

    /// Opens the file `path`, whose last part is no symbolic link. What is made thereby can be read and written by its owner
    /// alone. Never handed on to other programs.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/refused`` for what is no regular file. To open or to read a pipe would
    ///   otherwise be to wait for whoever writes into it.
    static func file(_ path: String, _ flags: Int32) throws(StoreError) -> FileDescriptor {
        let descriptor = try FileDescriptor(opening: path, flags | O_NOFOLLOW | O_NONBLOCK)
        try descriptor.requireRegularFile()
        return descriptor
    }

    /// Opens the folder `path`. Never handed on to other programs.
    static func folder(_ path: String) throws(StoreError) -> FileDescriptor {
        try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }

    deinit {
        close(number)
    }

    private borrowing func requireRegularFile() throws(StoreError) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw StoreError(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.refused) }
    }

    /// What the file holds, and at most `byteCountLimit` bytes of it.
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

    /// Whether `path` names this file, and no other name does if it is to be `alone`.
    borrowing func isNamed(by path: String, alone: Bool) throws(StoreError) -> Bool {
        var (own, found) = (stat(), stat())
        guard unsafe fstat(number, &own) == 0 else { throw StoreError(errno: errno) }
        guard unsafe lstat(path, &found) == 0 else {
            if errno == ENOENT { return false }
            throw StoreError(errno: errno)
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino && (!alone || own.st_nlink == 1)
    }

    /// Writes zeros over all that the file holds, and forces them onto the disk, if it has no name any more.
    ///
    /// - Precondition: Nothing was written by this descriptor.
    borrowing func overwrite() throws(StoreError) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw StoreError(errno: errno) }
        // A file that was given another name in between is somebody's copy.
        guard status.st_nlink == 0 else { return }
        try write([UInt8](repeating: 0, count: Int(status.st_size)))
        try synchronize()
    }

    /// Returns when all that was written is on the disk.
    borrowing func synchronize(by synchronization: DiskSynchronization = .system) throws(StoreError) {
        try synchronization.run(number)
    }

    /// Takes the lock, unless another descriptor holds it. Never waits.
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
    /// The error for a system call on a file that set `errno`.
    ///
    /// - Parameter areProtected: Whether the system protects files while the device is locked. It answers EPERM then, which passes: a file
    ///   whose permissions are wrong gives EACCES.
    package init(errno number: Int32, whereFilesAreProtected areProtected: Bool = SystemFiles.areProtectedWhileLocked) {
        let code: Code =
            switch number {
            case EPERM where areProtected: .unavailable
            case ENOSPC, EDQUOT, EFBIG: .full
            // ENXIO: a socket in a file's place.
            case EACCES, EPERM, EROFS, ELOOP, ENOTDIR, EISDIR, ENXIO: .refused
            default: .unavailable
            }
        self.init(code, systemStatus: number)
    }
}
