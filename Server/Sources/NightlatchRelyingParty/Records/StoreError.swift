/// Why a store did not answer. The transaction was rolled back whole: nothing of it is kept, unless `kind` says otherwise.
///
/// Equality is by `kind`; `resultCode` and `sqlState` are for logs and for people.
public struct StoreError: Error, Sendable {
    public let kind: Kind
    /// SQLite's [extended result code](https://www.sqlite.org/rescode.html), or 0 where there is none.
    public let resultCode: Int32
    /// PostgreSQL's [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html), or nil where there is none.
    public let sqlState: String?

    /// What went wrong, by what the caller can do.
    public enum Kind: String, Sendable, CaseIterable {
        /// Locked, out of reach or failing to read or write. Try again later. Where the connection broke while committing,
        /// the transaction may stand; every verb may therefore be asked again.
        case unavailable
        /// No room to write. Free some; nothing needs repair.
        case full
        /// The store may be read but not written. Mend its permissions or its mount.
        case readOnly
        /// What is stored cannot be read as what it must be. Stop, keep the file, restore a backup.
        case corrupt
        /// A later version of this program wrote the store. Run that version.
        case tooNew
        /// A statement does not fit the schema: a defect of this program.
        case defect

        /// Whether it may be over when somebody tries again, without anything done to the store's content or to this program.
        public var mayPass: Bool {
            switch self {
            case .unavailable, .full, .readOnly: true
            case .corrupt, .tooNew, .defect: false
            }
        }
    }

    public init(_ kind: Kind, resultCode: Int32 = 0) {
        self.kind = kind
        self.resultCode = resultCode
        sqlState = nil
    }

    public init(_ kind: Kind, sqlState: String) {
        self.kind = kind
        resultCode = 0
        self.sqlState = sqlState
    }
}

extension StoreError: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        let code = sqlState.map { ", SQLSTATE \($0)" } ?? (resultCode == 0 ? "" : ", result code \(resultCode)")
        return "store \(kind.rawValue)" + code
    }
}
