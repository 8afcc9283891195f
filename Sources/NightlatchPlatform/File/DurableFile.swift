import Foundation
import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One small file that is replaced as a whole: whoever reads it sees the old bytes or the new ones, also after a loss of power.
///
/// Files are made with mode 0600 and folders with 0700. Symbolic links are not followed in the file's place.
struct DurableFile: Sendable {
    let path: String

    private var folder: String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }

    /// The bytes, or nil if there is no such file.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/corrupt`` for a file of more than `byteCountLimit` bytes.
    func read(byteCountLimit: Int) throws(StoreError) -> [UInt8]? {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW)
        } catch {
            if error.systemStatus == ENOENT { return nil }
            throw error
        }
        let bytes = try descriptor.read(byteCountLimit: byteCountLimit + 1)
        guard bytes.count <= byteCountLimit else { throw StoreError(.corrupt) }
        return bytes
    }

    /// Puts `bytes` in the place of what is there. They are on the disk when this returns.
    ///
    /// - Throws: ``StoreError``; then the old bytes are there, or the new ones if the disk failed at the very end.
    func replace(with bytes: [UInt8]) throws(StoreError) {
        let newPath = path + ".new"
        // What a crash has left there, or someone has put there, may be open to others or be another file by a second
        // name. It is not written into.
        if unsafe unlink(newPath) != 0, errno != ENOENT { throw StoreError(errno: errno) }
        do {
            let descriptor = try FileDescriptor(opening: newPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try descriptor.write(bytes)
            try descriptor.synchronize()
        } catch {
            // Best effort: what is left over is removed by the next write.
            _ = unsafe unlink(newPath)
            throw error
        }
        guard unsafe rename(newPath, path) == 0 else { throw StoreError(errno: errno) }
        try synchronizeFolder()
    }

    /// Removes the file, if it is there, and what a write that was cut off has left beside it.
    func remove() throws(StoreError) {
        // What is beside it goes first: as long as the file is there, whoever tries again removes both.
        for path in [path + ".new", path] {
            if unsafe unlink(path) != 0, errno != ENOENT { throw StoreError(errno: errno) }
        }
        try synchronizeFolder()
    }

    /// Runs `body` while no other process and no other task does so with the same file. The lock goes with the process that holds
    /// it, however that ends.
    func withLock<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try makeFolder()
        let descriptor = try FileDescriptor(opening: path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        try descriptor.lock()
        return try body()
    }

    private func makeFolder() throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(errno: errnoBehind(error))
        }
    }

    private func errnoBehind(_ error: any Error) -> Int32 {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return Int32(underlying?.code ?? Int(EACCES))
    }

    private func synchronizeFolder() throws(StoreError) {
        try FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY).synchronize()
    }
}
