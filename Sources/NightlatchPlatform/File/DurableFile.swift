package import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A small file that is replaced as a whole. A reader gets the old bytes or the new bytes, also after a loss of power.
///
/// Files get mode 0600, folders 0700. Only regular files are read: symbolic links are not followed, and pipes, devices
/// and folders are refused.
///
/// After a replacement or removal is on the disk, the old file's blocks are overwritten with zeros, so that free blocks
/// of the file system do not contain the old bytes. This is best effort. Copies can remain in these cases:
///
/// - The file system writes to other blocks: snapshots, copy on write, or a journal of the data.
/// - The disk itself writes to spare blocks.
/// - A backup has the file.
/// - The process crashes before the blocks are overwritten.
///
/// A file with a second name (a hard link) is not overwritten, because a user made that name as a copy.
package struct DurableFile: Sendable {
    private let path: String
    private let synchronization: DiskSynchronization
    // Returns a result instead of throwing: a stored closure with typed throws has metadata that only iOS 18 and later
    // can make. Before iOS 18, printing a value with such a closure would end the process.
    private let folderSynchronization: @Sendable (String) -> Result<Void, StoreError>

    /// - Parameters:
    ///   - path: The file.
    ///   - synchronization: Forces the file's data onto the disk.
    ///   - synchronizeFolder: Forces the names in a folder onto the disk. Tests pass a closure that observes the calls.
    package init(
        path: String,
        synchronization: DiskSynchronization = .system,
        synchronizeFolder: @escaping @Sendable (String) throws(StoreError) -> Void = Self.synchronize(folder:)
    ) {
        self.path = path
        self.synchronization = synchronization
        folderSynchronization = { folder in
            do throws(StoreError) {
                return .success(try synchronizeFolder(folder))
            } catch {
                return .failure(error)
            }
        }
    }

    private func synchronizeFolder(_ folder: String) throws(StoreError) {
        try folderSynchronization(folder).get()
    }

    /// The maximum number of reads if the file is replaced during each of them.
    private static let readLimit = 64

    /// Reads the file, up to `byteCountLimit` bytes. Returns nil if there is no such file.
    ///
    /// - Throws: ``StoreError``. It is `unavailable` if another process replaced the file during each read.
    package func read(byteCountLimit: Int) throws(StoreError) -> [UInt8]? {
        for _ in 0..<Self.readLimit {
            let descriptor: FileDescriptor
            do {
                descriptor = try FileDescriptor.file(path, O_RDONLY)
            } catch {
                if error.systemStatus == ENOENT { return nil }
                throw error
            }
            let bytes = try descriptor.read(byteCountLimit: byteCountLimit)
            // If the file lost its name during the read, another process may have overwritten it with zeros.
            if try descriptor.isNamed(by: path, alone: false) { return bytes }
        }
        throw StoreError(.unavailable, reason: .overtaken(times: Self.readLimit))
    }

    /// Replaces the file with `bytes`. They are on the disk when this returns.
    ///
    /// - Throws: ``StoreError``. The file then has the old bytes, or the new ones if only the last step failed: forcing
    ///   the new name onto the disk.
    package func replace(with bytes: [UInt8]) throws(StoreError) {
        // A file at the temporary path, left by a crash or a user, may be readable by others or be a second name of
        // another file. So its name is removed first, and its blocks are overwritten only if it has no other name.
        try removeOverwriting(newPath)
        let old = Self.openSoleName(path)
        do throws(StoreError) {
            let descriptor = try FileDescriptor.file(newPath, O_WRONLY | O_CREAT | O_EXCL)
            try descriptor.write(bytes)
            try descriptor.synchronize(by: synchronization)
            guard unsafe rename(newPath, path) == 0 else { throw StoreError(errno: errno) }
        } catch {
            // Best effort. The next write or removal deletes a leftover file.
            _ = unsafe unlink(newPath)
            throw error
        }
        // Until the new name is on the disk, a loss of power may leave the old file.
        try synchronizeFolder(Self.folder(of: path))
        Self.overwrite(old)
    }

    /// Removes the file, if there is one. Also removes the leftover file of an interrupted write, which may have
    /// secrets too.
    package func remove() throws(StoreError) {
        // The file is removed last. After a crash it still exists, so the removal is known to be unfinished.
        try removeOverwriting(newPath)
        let old = Self.openSoleName(path)
        try unlinkIfThere(path)
        try synchronizeFolder(Self.folder(of: path))
        Self.overwrite(old)
    }

    private func removeOverwriting(_ path: String) throws(StoreError) {
        let old = Self.openSoleName(path)
        try unlinkIfThere(path)
        Self.overwrite(old)
    }

    /// Opens the file `path`, to overwrite it after this name is removed. Nil if there is no file, or if it has another
    /// name too.
    private static func openSoleName(_ path: String) -> FileDescriptor? {
        do {
            let descriptor = try FileDescriptor.file(path, O_WRONLY)
            guard try descriptor.isNamed(by: path, alone: true) else { return nil }
            return descriptor
        } catch {
            // After an error, the caller still replaces or removes the file, but does not overwrite it.
            return nil
        }
    }

    private static func overwrite(_ old: consuming FileDescriptor?) {
        guard let old = consume old else { return }
        do {
            try old.overwrite()
        } catch {
            // The replacement or removal succeeded, so throwing an error here would be wrong. `nightlatch doctor`
            // states that copies may remain.
        }
    }

    /// Runs `body` with an exclusive lock on the file, against other processes and tasks. The lock ends with the
    /// process, however the process ends.
    ///
    /// - Throws: The error of `body`, or `StoreError.Reason.lockHeld(path:)` if the lock is held elsewhere.
    ///   ``LockPatience`` then tries again.
    package func withLock<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try make(folder: Self.folder(of: path))
        let descriptor = try FileDescriptor.file(path + ".lock", O_RDWR | O_CREAT)
        guard try descriptor.tryLock() else {
            throw StoreError(.unavailable, systemStatus: EWOULDBLOCK, reason: .lockHeld(path: path + ".lock"))
        }
        return try body()
    }

    /// Forces the names in `folder` onto the disk.
    package static func synchronize(folder: String) throws(StoreError) {
        try FileDescriptor.folder(folder).synchronize()
    }

    private var newPath: String { path + ".new" }

    /// Makes `folder` and its missing parents. New folders are on the disk when this returns. Otherwise a loss of power
    /// could lose the name of the folder, and with it the file.
    private func make(folder: String) throws(StoreError) {
        guard unsafe access(folder, F_OK) != 0 else { return }
        let above = Self.folder(of: folder)
        if above != folder { try make(folder: above) }
        let isOurs = unsafe mkdir(folder, 0o700) == 0
        // Another process may have made the folder first.
        guard isOurs || errno == EEXIST else { throw StoreError(errno: errno) }
        do {
            try synchronizeFolder(above)
        } catch {
            // Removes the folder, so that the next call tries again.
            if isOurs { _ = unsafe rmdir(folder) }
            throw error
        }
    }

    private func unlinkIfThere(_ path: String) throws(StoreError) {
        if unsafe unlink(path) != 0, errno != ENOENT { throw StoreError(errno: errno) }
    }

    private static func folder(of path: String) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }
}
