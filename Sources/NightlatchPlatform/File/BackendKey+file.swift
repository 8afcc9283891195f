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
        let bytes: [UInt8]
        do throws(StoreError) {
            let file = try FileDescriptor.file(path, O_RDONLY)
            // Checks the open file, not the path: another process could replace the file at that path in between.
            let (owner, mode) = try file.access()
            // The administrator can change any file anyway, so a file that the administrator owns is accepted.
            guard owner == geteuid() || owner == 0, mode & Self.forbiddenMode(at: path) == 0 else {
                throw StoreError(.refused)
            }
            bytes = try file.read(byteCountLimit: 8192)
        } catch {
            throw BackendKeyFileError(error)
        }
        guard let text = String(bytes: bytes, encoding: .utf8),
            let line = text.split(whereSeparator: \.isNewline).first,
            let key = BackendKey(rawValue: String(line))
        else { throw .malformed }
        let minimum = BackendKeyRule.characterCountMinimum
        guard key.rawValue.utf8.count >= minimum else { throw .tooShort(characterCount: minimum) }
        self = key
    }

    /// The permissions that others must not have. systemd lets a service read a credential by an access control list
    /// entry, which appears as a group permission
    /// ([systemd.exec(5)](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html)).
    private static func forbiddenMode(at path: String) -> mode_t {
        let folder = (path as NSString).deletingLastPathComponent
        let lent = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        return folder == lent && folder.hasPrefix("/") ? 0o037 : 0o077
    }
}
