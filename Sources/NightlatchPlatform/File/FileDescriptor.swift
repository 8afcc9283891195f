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

    /// Opens `path`; what is made thereby can be read and written by its owner alone. Never handed on to other programs.
    init(opening path: String, _ flags: Int32) throws(StoreError) {
        number = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw StoreError(errno: errno) }
    }

    deinit {
        close(number)
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

    /// Returns when all that was written is on the disk.
    borrowing func synchronize() throws(StoreError) {
        guard synchronizeToDisk(number) == 0 else { throw StoreError(errno: errno) }
    }

    /// Waits until no other descriptor holds the lock, and takes it.
    borrowing func lock() throws(StoreError) {
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw StoreError(errno: errno) }
        }
    }
}

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, buffer, count)
}

private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, buffer, count)
}

#if canImport(Darwin)
/// `fsync` on Apple systems leaves the bytes in the drive's own cache.
private func synchronizeToDisk(_ number: Int32) -> Int32 { fcntl(number, F_FULLFSYNC) }
#else
private func synchronizeToDisk(_ number: Int32) -> Int32 { fsync(number) }
#endif

extension StoreError {
    /// The error for a system call on a file that set `errno`.
    init(errno number: Int32) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS, ELOOP, ENOTDIR, EISDIR: .refused
            default: .unavailable
            }
        self.init(code, systemStatus: number)
    }
}
