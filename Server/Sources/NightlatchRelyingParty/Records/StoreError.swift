/// The reason why a store verb failed.
///
/// The verb's transaction was rolled back completely, unless the documentation of the ``kind`` states otherwise.
///
/// Equality is by `kind`; `resultCode` and `sqlState` are for logs and for people.
public struct StoreError: Error, Sendable {
    public let kind: Kind
    /// SQLite's [extended result code](https://www.sqlite.org/rescode.html), or 0 where there is none.
    public let resultCode: Int32
    /// PostgreSQL's [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html), or nil.
    public let sqlState: String?

    /// The kind of error, by what the caller can do about it.
    public enum Kind: String, Sendable, CaseIterable {
        /// The store is locked or unreachable, or cannot be read or written.
        ///
        /// Try again later. If the connection broke during a commit, the transaction may have been committed; every
        /// verb can therefore be called again.
        case unavailable
        /// There is no space to write. Free some space; no repair is needed.
        case full
        /// The store can be read but not written. Correct its permissions or its mount.
        case readOnly
        /// Stored data is invalid. Stop, keep the file, restore a backup.
        case corrupt
        /// A later version of this program wrote the store. Run that version.
        case tooNew
        /// A statement does not fit the schema, which is a defect of this program.
        case defect

        /// Whether a later retry may succeed without any change to the store's content or to this program.
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
