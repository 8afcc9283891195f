package import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One small file that is replaced as a whole: whoever reads it sees the old bytes or the new ones, also after a loss of power.
///
/// Files are made with mode 0600 and folders with 0700. In the file's place nothing but a regular file is read: symbolic links
/// are not followed, and pipes, devices and folders are refused.
///
/// What is replaced or removed is overwritten with zeros once its name is gone for good, so that it is not found among the blocks that the
/// file system has free. That is best effort: a file system that writes elsewhere than where it was told (with snapshots, copy on write, or a
/// journal of its data), the disk's own spare blocks, a backup, and a crash just then keep what was there. A file with a second name is
/// left alone: it is a copy that somebody has made.
package struct DurableFile: Sendable {
    private let path: String
    private let synchronization: DiskSynchronization
    // A result: a stored closure with typed throws has metadata that only iOS 18 can make, so printing the value would end the process
    // before.
    private let folderSynchronization: @Sendable (String) -> Result<Void, StoreError>

    /// - Parameters:
    ///   - path: The file.
    ///   - synchronization: Forces what was written to the file onto the disk.
    ///   - synchronizeFolder: Forces the names that a folder holds onto the disk. Tests look on here.
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

    /// How often a file is read again because it was replaced during the read.
    private static let readLimit = 64

    /// What the file holds, and at most `byteCountLimit` bytes of it; nil if there is no such file.
    ///
    /// - Throws: ``StoreError``; `unavailable` where each time another process had replaced the file while it was read.
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
            // One that has lost its name while it was read may have been overwritten under the reader's eyes.
            if try descriptor.isNamed(by: path, alone: false) { return bytes }
        }
        throw StoreError(.unavailable, reason: .overtaken(times: Self.readLimit))
    }

    /// Puts `bytes` in the place of what is there. They are on the disk when this returns.
    ///
    /// - Throws: ``StoreError``; then the old bytes are there, or the new ones if the disk failed at the very end.
    package func replace(with bytes: [UInt8]) throws(StoreError) {
        // What a crash has left there, or someone has put there, may be open to others or be another file by a second
        // name. It is not written into while it has a name.
        try removeOverwriting(newPath)
        let old = Self.openSoleName(path)
        do throws(StoreError) {
            let descriptor = try FileDescriptor.file(newPath, O_WRONLY | O_CREAT | O_EXCL)
            try descriptor.write(bytes)
            try descriptor.synchronize(by: synchronization)
            guard unsafe rename(newPath, path) == 0 else { throw StoreError(errno: errno) }
        } catch {
            // Best effort: what is left over is removed by the next write or removal.
            _ = unsafe unlink(newPath)
            throw error
        }
        // Before that is on the disk, the old bytes may be what a loss of power leaves.
        try synchronizeFolder(Self.folder(of: path))
        Self.overwrite(old)
    }

    /// Removes the file, if it is there, and what a write that was cut off has left beside it, which may hold as much.
    package func remove() throws(StoreError) {
        // The file last: after a crash in between it is there still, and the removal is known to be unfinished.
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

    /// The file `path`, to be overwritten once it has lost its name; nil if there is none, or none that has this name alone.
    private static func openSoleName(_ path: String) -> FileDescriptor? {
        do {
            let descriptor = try FileDescriptor.file(path, O_WRONLY)
            guard try descriptor.isNamed(by: path, alone: true) else { return nil }
            return descriptor
        } catch {
            // Whatever stands there is replaced or removed all the same.
            return nil
        }
    }

    private static func overwrite(_ old: consuming FileDescriptor?) {
        guard let old = consume old else { return }
        do {
            try old.overwrite()
        } catch {
            // What was to be done is done, and to say that it failed would be wrong. `nightlatch doctor` says that copies may be left.
        }
    }

    /// Runs `body` while no other process and no other task does so with the same file. The lock goes with the process that holds
    /// it, however that ends.
    ///
    /// - Throws: What `body` throws; `StoreError.Reason.lockHeld(path:)` if the lock is held elsewhere. ``LockPatience`` tries again.
    package func withLock<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try make(folder: Self.folder(of: path))
        let descriptor = try FileDescriptor.file(path + ".lock", O_RDWR | O_CREAT)
        guard try descriptor.tryLock() else {
            throw StoreError(.unavailable, systemStatus: EWOULDBLOCK, reason: .lockHeld(path: path + ".lock"))
        }
        return try body()
    }

    /// Forces the names that `folder` holds onto the disk.
    package static func synchronize(folder: String) throws(StoreError) {
        try FileDescriptor.folder(folder).synchronize()
    }

    private var newPath: String { path + ".new" }

    /// Makes `folder` and what is missing above it. A folder that is new here is on the disk when this returns: without its
    /// name in the folder above, the file in it would be lost with the power.
    private func make(folder: String) throws(StoreError) {
        guard unsafe access(folder, F_OK) != 0 else { return }
        let above = Self.folder(of: folder)
        if above != folder { try make(folder: above) }
        let isOurs = unsafe mkdir(folder, 0o700) == 0
        // Another process may have been faster.
        guard isOurs || errno == EEXIST else { throw StoreError(errno: errno) }
        do {
            try synchronizeFolder(above)
        } catch {
            // The next call must find it missing, to try this again.
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
