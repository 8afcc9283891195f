import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// Turns errors of the relying party into messages for its operator.
extension CommandFailure {
    /// Explains why the relying party did not start.
    init(_ error: RelyingPartyStartError, database: DatabaseAddress) {
        switch error {
        case .masterKeyDoesNotFit:
            self.init(
                .refused,
                "the keys in \(database) were sealed under another master key. Use that master key. During a rotation of "
                    + "the master key, or with a backup from before it, name both keys, the second one with "
                    + "--other-master-key-file. If the key is lost, stop every server of this database and run: "
                    + "nightlatch admin forget-signing-keys --database '\(database)'")
        case .store(let error): self.init(error, database: database)
        case .setBack(let findings, let file):
            self.init(
                .refused,
                "the database \(database) is older than \(file) states:\n"
                    + findings.map { "  \($0)\n" }.joined()
                    + "If you have restored a backup, stop every server and run: nightlatch admin accept-restore --database "
                    + "'\(database)' --heads '\(file)' --master-key-file FILE\nOtherwise another person has replaced the "
                    + "database or cut off its audit log. Keep the database, and find out what happened.")
        case .auditHeads(let error, let file):
            self.init(
                .unavailable,
                "cannot read \(file): \(error.reason). Without this file of audit heads the age of the database is "
                    + "unknown. Let the server read and write it.")
        case .noSigningKey: self.init(.defect, "the cryptographic library made no key.")
        }
    }

    /// Explains that the master key file is missing and that a new key would not fit the database.
    init(missingMasterKey file: String, database: DatabaseAddress) {
        self.init(
            .usage,
            "there is no file \(file), and keys in \(database) are sealed under the master key that was in it. Put it back. "
                + "If it is lost, access tokens, enrolment codes and two-party PINs are lost too, and devices stay bound: "
                + "stop every server of this database and run: nightlatch admin forget-signing-keys --database '\(database)'"
        )
    }

    /// Explains why the signing key could not be rotated.
    init(_ error: SigningKeyRotationError, database: DatabaseAddress) {
        switch error {
        case .store(let error): self.init(error, database: database)
        case .masterKeyDoesNotFit: self.init(RelyingPartyStartError.masterKeyDoesNotFit, database: database)
        case .noKey:
            self.init(.usage, "no server has used \(database) yet. The first server creates a key.")
        case .noSigningKey: self.init(RelyingPartyStartError.noSigningKey, database: database)
        }
    }

    /// Explains why the rotation of the master key stopped.
    init(_ error: MasterKeyRotationError, file: String, database: DatabaseAddress) {
        func names(_ processes: [RunningProcess]) -> String { processes.map(\.name).joined(separator: ", ") }
        switch error {
        case .store(let error): self.init(error, database: database)
        case .masterKeyDoesNotFit: self.init(RelyingPartyStartError.masterKeyDoesNotFit, database: database)
        case .sameKey:
            self.init(
                .refused,
                "the key in \(file) seals already, and it did not replace the key of --master-key-file. Nothing was "
                    + "changed. Name the file of a new key.")
        case .noKey: self.init(SigningKeyRotationError.noKey, database: database)
        case .unknownTo(let processes):
            self.init(
                .refused,
                "these servers do not know both keys: \(names(processes)). Nothing was changed. Restart each "
                    + "with --other-master-key-file \(file), one after the other, and run this command again.")
        case .notFollowedBy(let processes):
            self.init(
                .unavailable,
                "these servers did not begin to seal under the new key within a minute: \(names(processes)). Stop or "
                    + "restart them, and run the same command again: it continues.")
        case .otherRotation(let state):
            self.init(
                .refused,
                "a rotation to the key \(state.sealing) is not finished. Nothing was changed. Run it to its end with the "
                    + "same files first.")
        case .noServers:
            self.init(
                .refused,
                "no server reports itself to this database, so it is unknown whether all know the new key. Nothing was "
                    + "changed. Start the servers with both keys. If every server is stopped, pass --without-servers.")
        case .tooEarly(let end):
            self.init(
                .refused,
                "texts and enrolment codes of the last rotation's old key are valid until "
                    + "\(end.date.formatted(.iso8601)). Nothing was changed. Begin the next rotation then.")
        case .damagedSigningKey(let id):
            self.init(
                .refused,
                "the signing key \(id) opens under neither key. All two-party PINs are sealed under the new key. Keep the "
                    + "database, and restore that row from a backup.")
        case .changedMeanwhile:
            self.init(.refused, "another command has changed the rotation. Look at it with --status.")
        case .unfinished:
            self.init(.unavailable, "values under the old key are left. Run the same command again.")
        case .notSealed: self.init(RelyingPartyStartError.noSigningKey, database: database)
        }
    }

    /// Explains why the store could not be used.
    init(_ error: RelyingPartyStoreError, database: DatabaseAddress) {
        if error.kind == .unavailable, case .sqlite(let path) = database, let reason = Self.misplacement(of: path) {
            self.init(.usage, "cannot use the database \(database): \(reason).")
            return
        }
        let sentence =
            switch (error.kind, database) {
            case (.unavailable, .sqlite): "is locked by another program or cannot be reached. Try again."
            case (.unavailable, .postgres): "cannot be reached, refuses logins, or is too busy (\(error)). Try again."
            case (.full, _): "has no space left. Free some space."
            case (.readOnly, .sqlite): "cannot be written. Correct the permissions of the file and its folder."
            case (.readOnly, .postgres): "cannot be written: it is a standby, or the role lacks a right (\(error))."
            case (.corrupt, .sqlite): "is damaged, or is not a database. Keep the file and restore a backup."
            case (.corrupt, .postgres): "is damaged. Stop, keep the data and restore a backup (\(error))."
            case (.tooNew, _): "was written by a later version of Nightlatch. Run that version."
            case (.defect, _): "does not have the schema of this version (\(error))."
            }
        self.init(CommandExit(error.kind), "the database \(database) " + sentence)
    }

    /// Returns the reason why there can be no database file at `path`; nil if none is found.
    private static func misplacement(of path: String) -> String? {
        // Only a folder has the entry `.`.
        func isFolder(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/.") }
        let folder = (path as NSString).deletingLastPathComponent
        if !folder.isEmpty, !isFolder(folder) { return "there is no folder \(folder)" }
        if isFolder(path) { return "\(path) is a folder" }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK, unsafe stat(path, &status) != 0 {
            return "\(path) is a link to a file that does not exist"
        }
        return status.st_mode & S_IFMT == S_IFREG ? nil : "\(path) is not a plain file"
    }

    /// Explains why TLS could not be set up.
    init(_ error: ServerTLSError, certificate: String, key: String) {
        switch error {
        case .certificateUnreadable:
            self.init(.usage, "\(certificate) contains no certificate in PEM, or cannot be read.")
        case .key(let error): self.init(error, path: key)
        case .keyDoesNotFit:
            self.init(.refused, "the key in \(key) does not belong to the certificate in \(certificate).")
        }
    }

    /// Explains why a secret could not be read from its file.
    init(_ error: SecretFileError, path: String) {
        switch error {
        case .missing: self.init(.usage, "there is no file \(path).")
        case .openToOthers: self.init(.refused, "other users can read or write \(path). Run: chmod 600 \(path)")
        case .ownedByAnother:
            self.init(
                .refused, "\(path) belongs to another user, who can change it. Run: chown \(NSUserName()) \(path)")
        case .notPlainFile:
            self.init(.refused, "\(path) is a folder, a pipe or a link. Name the file itself.")
        case .tooShort(let count):
            self.init(
                .refused,
                "the key in \(path) is too short: it must have at least \(count) characters. Remove the file, and the server "
                    + "creates a key."
            )
        case .malformed: self.init(.refused, "\(path) does not contain a key. Restore it from a backup.")
        case .failed(let errno):
            self.init(.unavailable, "cannot read or write \(path): \(SystemError(number: errno)).")
        }
    }
}

extension CommandExit {
    /// Maps an error of the store to an exit code.
    init(_ kind: RelyingPartyStoreError.Kind) {
        switch kind {
        case .unavailable, .full, .readOnly: self = .unavailable
        case .corrupt, .tooNew: self = .refused
        case .defect: self = .defect
        }
    }
}

extension AuditHeadFileError {
    /// The reason, without a full stop.
    var reason: String {
        switch self {
        case .missing: "there is no file of this name"
        case .failed(let errno): SystemError(number: errno).description
        }
    }
}
