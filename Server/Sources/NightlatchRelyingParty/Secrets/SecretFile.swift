import Foundation

/// A small file with one secret as text, which only its owner can read.
package struct SecretFile {
    /// The longest text that is read, in bytes.
    private static let byteCountLimit = 8192

    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the file, or first creates it with `makeText()` if there is none.
    ///
    /// If several processes call it at once, one creates the file, and all read the same text.
    package func readOrCreate(_ makeText: () -> String) throws(SecretFileError) -> String {
        do {
            return try read()
        } catch SecretFileError.missing {
            try create(makeText())
            return try read()
        }
    }

    /// Reads the file.
    package func read() throws(SecretFileError) -> String {
        // Opens without waiting for the other end of a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP, ENXIO: throw .notPlainFile
            default: throw .failed(errno: errno)
            }
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .failed(errno: errno) }
        // Checks the open file, not the path: another process could replace the file at that path in between.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlainFile }
        // The machine's administrator can change any file anyway, so a file that the administrator owns is accepted;
        // service managers provide such files.
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .ownedByAnother }
        guard status.st_mode & forbiddenMode == 0 else { throw .openToOthers }
        var buffer = [UInt8](repeating: 0, count: Self.byteCountLimit)
        let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw .failed(errno: errno) }
        guard let text = String(validating: buffer.prefix(count), as: UTF8.self) else { throw .malformed }
        return text
    }

    /// The permissions that others must not have. systemd lets a service read a credential by an access control list
    /// entry, which appears as a group permission
    /// ([systemd.exec(5)](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html)).
    private var forbiddenMode: mode_t {
        let folder = (path as NSString).deletingLastPathComponent
        let lent = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        return folder == lent && folder.hasPrefix("/") ? 0o037 : 0o077
    }

    /// Writes the file. If another process has written it first, that file stays.
    private func create(_ text: String) throws(SecretFileError) {
        do throws(NewFileError) {
            let file = try NewFile(beside: path)
            try file.write((text + "\n").utf8)
            try file.publish()
        } catch {
            switch error {
            case .exists: return
            case .failed(_, let errno): throw .failed(errno: errno)
            }
        }
    }
}
