import NightlatchServer

/// What errors of the relying party say to its operator, and how the command ends with them.
extension CommandFailure {
    /// Why the relying party did not start.
    init(_ error: RelyingPartyStartError, database: String) {
        switch error {
        case .masterKeyDoesNotFit:
            self.init(
                .refused,
                "the keys in \(database) were sealed under another master key. Start with that one. If it is lost, stop every server "
                    + "of this database and run: nightlatch admin forget-signing-keys --database sqlite:\(database)")
        case .store(let error): self.init(error, database: database)
        case .noSigningKey: self.init(.defect, "the cryptographic library made no key.")
        }
    }

    /// Why no other key was made.
    init(_ error: SigningKeyRotationError, database: String) {
        switch error {
        case .store(let error): self.init(error, database: database)
        case .masterKeyDoesNotFit: self.init(RelyingPartyStartError.masterKeyDoesNotFit, database: database)
        case .noKey:
            self.init(.usage, "no server has run over \(database) yet. The first one makes a key.")
        case .noSigningKey: self.init(RelyingPartyStartError.noSigningKey, database: database)
        }
    }

    /// Why the store does not answer.
    init(_ error: StoreError, database: String) {
        let sentence =
            switch error.kind {
            case .unavailable: "is locked by another program or cannot be reached. Try again."
            case .full: "has no room. Free some."
            case .readOnly: "cannot be written. Mend the permissions of the file and its folder."
            case .corrupt: "is damaged, or no database at all. Keep the file and restore a backup."
            case .tooNew: "was written by a later version of Nightlatch. Run that version."
            case .defect: "is not of the form that this version makes (result code \(error.resultCode))."
            }
        self.init(CommandExit(error.kind), "the database \(database) " + sentence)
    }

    /// Why a secret's file gave no secret.
    init(_ error: SecretFileError, path: String) {
        switch error {
        case .missing: self.init(.usage, "there is no file \(path).")
        case .openToOthers: self.init(.refused, "\(path) can be read or written by others. Say: chmod 600 \(path)")
        case .malformed: self.init(.refused, "\(path) does not hold a key. Restore it from a backup.")
        case .failed(let errno):
            self.init(.unavailable, "cannot read or write \(path): \(SystemError(number: errno)).")
        }
    }
}

extension CommandExit {
    /// How a command ends that could not use a store.
    init(_ kind: StoreError.Kind) {
        switch kind {
        case .unavailable, .full, .readOnly: self = .unavailable
        case .corrupt, .tooNew: self = .refused
        case .defect: self = .defect
        }
    }
}
