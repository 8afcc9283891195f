import GRDB
import NightlatchRelyingParty

extension RelyingPartyStoreError {
    /// Converts an error of SQLite by what the caller can do about it.
    init(_ error: any Error) {
        if let error = error as? RelyingPartyStoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            // The pool throws `CancellationError` if the waiting task was cancelled; running a statement throws no
            // other error.
            self.init(error is CancellationError ? .unavailable : .defect)
            return
        }
        let kind: Kind =
            switch error.resultCode {
            case .SQLITE_FULL: .full
            case .SQLITE_READONLY: .readOnly
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_INTERRUPT,
                .SQLITE_ABORT, .SQLITE_PROTOCOL, .SQLITE_PERM, .SQLITE_AUTH:
                .unavailable
            default: .defect
            }
        self.init(kind, resultCode: error.extendedResultCode.rawValue)
    }
}
