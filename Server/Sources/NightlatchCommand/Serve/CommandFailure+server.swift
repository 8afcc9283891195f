import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer

/// Turns errors of the relying party into messages for its operator.
extension CommandFailure {
    /// Explains why the relying party did not start.
    init(_ error: RelyingPartyStartError, database: DatabaseAddress) {
        switch error {
        case .masterKeyDoesNotFit:
            self.init(
                .refused,
                "the keys in \(database) were sealed under another master key. Start with that one. If it is lost, stop every server "
                    + "of this database and run: nightlatch admin forget-signing-keys --database '\(database)'")
        case .store(let error): self.init(error, database: database)
        case .noSigningKey: self.init(.defect, "the cryptographic library made no key.")
        }
    }

    /// Explains that the master key file is missing and that a new key would not fit the database.
    init(missingMasterKey file: String, database: DatabaseAddress) {
        self.init(
            .usage,
            "there is no file \(file), and keys in \(database) are sealed under the master key that was in it. Put it back. If it is "
                + "lost, so are access tokens, enrolment codes and two-party PINs, and devices stay bound: stop every server of this "
                + "database and run: nightlatch admin forget-signing-keys --database '\(database)'")
    }

    /// Explains why the signing key could not be rotated.
    init(_ error: SigningKeyRotationError, database: DatabaseAddress) {
        switch error {
        case .store(let error): self.init(error, database: database)
        case .masterKeyDoesNotFit: self.init(RelyingPartyStartError.masterKeyDoesNotFit, database: database)
        case .noKey:
            self.init(.usage, "no server has run over \(database) yet. The first one makes a key.")
        case .noSigningKey: self.init(RelyingPartyStartError.noSigningKey, database: database)
        }
    }

    /// Explains why the store could not be used.
    init(_ error: StoreError, database: DatabaseAddress) {
        if error.kind == .unavailable, case .sqlite(let path) = database, let reason = Self.misplacement(of: path) {
            self.init(.usage, "there can be no database \(database): \(reason).")
            return
        }
        let sentence =
            switch (error.kind, database) {
            case (.unavailable, .sqlite): "is locked by another program or cannot be reached. Try again."
            case (.unavailable, .postgres): "cannot be reached, lets nobody in, or is too busy (\(error)). Try again."
            case (.full, _): "has no room. Free some."
            case (.readOnly, .sqlite): "cannot be written. Mend the permissions of the file and its folder."
            case (.readOnly, .postgres): "cannot be written: it is a standby, or the role lacks a right (\(error))."
            case (.corrupt, .sqlite): "is damaged, or no database at all. Keep the file and restore a backup."
            case (.corrupt, .postgres): "is damaged. Stop, keep what is there and restore a backup (\(error))."
            case (.tooNew, _): "was written by a later version of Nightlatch. Run that version."
            case (.defect, _): "is not of the form that this version makes (\(error))."
            }
        self.init(CommandExit(error.kind), "the database \(database) " + sentence)
    }

    /// Returns why no file can exist at `path`; nil if the folders show no reason.
    private static func misplacement(of path: String) -> String? {
        // Only a folder has the entry `.`.
        func isFolder(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/.") }
        let folder = (path as NSString).deletingLastPathComponent
        if !folder.isEmpty, !isFolder(folder) { return "there is no folder \(folder)" }
        if isFolder(path) { return "\(path) is a folder" }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK, unsafe stat(path, &status) != 0 {
            return "\(path) is a link that leads to no file"
        }
        return status.st_mode & S_IFMT == S_IFREG ? nil : "\(path) is no plain file"
    }

    /// Explains why TLS could not be set up.
    init(_ error: ServerTLSError, certificate: String, key: String) {
        switch error {
        case .certificateUnreadable: self.init(.usage, "\(certificate) holds no certificate in PEM, or cannot be read.")
        case .key(let error): self.init(error, path: key)
        case .keyDoesNotFit: self.init(.refused, "the key in \(key) is not that of the certificate in \(certificate).")
        }
    }

    /// Explains why a secret could not be read from its file.
    init(_ error: SecretFileError, path: String) {
        switch error {
        case .missing: self.init(.usage, "there is no file \(path).")
        case .openToOthers: self.init(.refused, "\(path) can be read or written by others. Say: chmod 600 \(path)")
        case .ownedByAnother:
            self.init(
                .refused, "\(path) belongs to another user, who can change it. Say: chown \(NSUserName()) \(path)")
        case .notPlainFile:
            self.init(.refused, "\(path) is no plain file but a folder, a pipe or a link. Name the file itself.")
        case .tooShort(let count):
            self.init(
                .refused,
                "the key in \(path) can be guessed: it must have \(count) characters at least. Remove the file, and the server makes a key."
            )
        case .malformed: self.init(.refused, "\(path) does not hold a key. Restore it from a backup.")
        case .failed(let errno):
            self.init(.unavailable, "cannot read or write \(path): \(SystemError(number: errno)).")
        }
    }
}

extension CommandExit {
    /// Maps an error of the store to an exit code.
    init(_ kind: StoreError.Kind) {
        switch kind {
        case .unavailable, .full, .readOnly: self = .unavailable
        case .corrupt, .tooNew: self = .refused
        case .defect: self = .defect
        }
    }
}
