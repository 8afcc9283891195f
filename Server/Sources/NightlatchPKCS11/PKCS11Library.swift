import Foundation

/// The file of a token's library, which runs with all rights of the process that loads it.
struct PKCS11Library {
    /// The path without links.
    let path: String

    /// Finds the file.
    ///
    /// - Throws: ``PKCS11Error`` `library` if it is no file, or if another user than the process's own and root owns or
    ///   may write it.
    init(at path: String) throws(PKCS11Error) {
        guard let resolved = unsafe realpath(path, nil) else { throw .library("there is no file \(path)") }
        self.path = unsafe String(cString: resolved)
        unsafe free(resolved)
        var status = stat()
        guard unsafe stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .library("\(path) is no file")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw .library("other users can change \(self.path). Give it to root, and run: chmod go-w \(self.path)")
        }
    }
}
