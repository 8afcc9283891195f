import Foundation
import Nightlatch
public import NightlatchWire

extension Identifier where Rule == BackendKeyRule {
    /// Reads the key of an app's backend from the file that the relying party has made: `backend.key` in the data
    /// folder of `nightlatch serve`, or a copy of it.
    ///
    /// ```swift
    /// let key = try BackendKey(file: "nightlatch-data/backend.key")
    /// let backend = HTTPBackend(issuer: "https://id.example.com", key: key)
    /// ```
    ///
    /// The key is the first line of the file. Like the relying party, this refuses a file that other users of the
    /// machine may read or write. It changes nothing.
    ///
    /// - Throws: ``BackendKeyFileError``. Each case says what to do.
    public init(file path: String) throws(BackendKeyFileError) {
        try self.init(
            file: path, user: geteuid(),
            credentialsFolder: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"])
    }

    /// Reads the key as a process of `user`.
    ///
    /// - Parameter credentialsFolder: The folder in which systemd lends the process its credentials, if it does
    ///   ([systemd.exec(5)](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html)).
    package init(file path: String, user: UInt32, credentialsFolder: String?) throws(BackendKeyFileError) {
        let bytes: [UInt8]
        do throws(StoreError) {
            let file = try FileDescriptor.file(path, O_RDONLY)
            // Checks the open file, not the path: another process could replace the file at that path in between.
            let (owner, mode) = try file.access()
            // systemd lets a service read a credential by an access control list entry, which appears as a group
            // permission.
            let folder = (path as NSString).deletingLastPathComponent
            let forbidden: mode_t = folder == credentialsFolder && folder.hasPrefix("/") ? 0o037 : 0o077
            // The administrator can change any file anyway, so a file that the administrator owns is accepted.
            guard owner == user || owner == 0, mode & forbidden == 0 else { throw StoreError(.refused) }
            bytes = try file.read(byteCountLimit: 8192)
        } catch {
            throw BackendKeyFileError(error)
        }
        guard let text = String(bytes: bytes, encoding: .utf8), let key = BackendKey(fileText: text) else {
            throw .malformed
        }
        guard !key.isTooShort else { throw .tooShort }
        self = key
    }
}
