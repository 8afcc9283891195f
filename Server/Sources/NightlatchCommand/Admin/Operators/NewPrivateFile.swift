import Foundation
import NightlatchProgram

/// A file that only its owner can read. It is written under a temporary name and gets its own name when it is complete.
///
/// A file that is not published is removed with this object. A crash leaves at most the temporary file, whose name ends
/// in `.partial-` and a UUID.
final class NewPrivateFile {
    let handle: FileHandle
    private let path: String
    private let temporaryPath: String

    /// Creates the temporary file.
    ///
    /// - Throws: ``CommandFailure`` if the file exists already, or cannot be created.
    init(path: String) throws(CommandFailure) {
        guard !FileManager.default.fileExists(atPath: path) else { throw Self.exists(path) }
        self.path = path
        temporaryPath = path + ".partial-" + UUID().uuidString
        let descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Self.unwritable(path, errno: errno) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { _ = unsafe unlink(temporaryPath) }

    /// Gives the file its name, and returns when its bytes are on disk.
    ///
    /// - Throws: ``CommandFailure`` if a file got this name in the meantime, or if the bytes cannot be written.
    func publish() throws(CommandFailure) {
        guard fsync(handle.fileDescriptor) == 0 else { throw Self.unwritable(path, errno: errno) }
        guard unsafe link(temporaryPath, path) == 0 else {
            throw errno == EEXIST ? Self.exists(path) : Self.unwritable(path, errno: errno)
        }
    }

    private static func exists(_ path: String) -> CommandFailure {
        CommandFailure(.usage, "\(path) exists, and is not overwritten. Name another file, or move this one away.")
    }

    private static func unwritable(_ path: String, errno: Int32) -> CommandFailure {
        CommandFailure(.unavailable, "cannot write \(path): \(SystemError(number: errno)).")
    }
}
