import NightlatchServer

extension ServeSettings {
    /// Why the relying party did not start, and what to do.
    static func explain(_ error: RelyingPartyStartError) -> String {
        switch error {
        case .masterKeyDoesNotFit:
            "the keys in the database were sealed under another master key. Start with that one."
        case .store(let error): explain(error)
        }
    }

    /// Why a secret's file gave no secret, and what to do.
    static func explain(_ error: SecretFileError, path: String) -> String {
        switch error {
        case .missing: "there is no file \(path)."
        case .openToOthers: "\(path) can be read or written by others. Say: chmod 600 \(path)"
        case .malformed: "\(path) does not hold a key. Restore it from a backup."
        case .failed(let errno): "cannot read or write \(path) (errno \(errno))."
        }
    }

    private static func explain(_ error: StoreError) -> String {
        switch error.kind {
        case .unavailable: "the database is locked by another program or cannot be reached. Try again."
        case .full: "there is no room for the database. Free some."
        case .readOnly: "the database cannot be written. Mend the permissions of its file and folder."
        case .corrupt: "the database is damaged, or the file is no database. Keep it and restore a backup."
        case .tooNew: "a later version of Nightlatch wrote the database. Run that version."
        case .defect: "the database is not of the form that this version makes (result code \(error.resultCode))."
        }
    }
}
