import NightlatchRelyingParty
import Synchronization

/// A cache of the head of a store's chain for one transaction. The head is read from the file once for all entries of
/// the transaction.
///
/// Each transaction begins with an empty cache, because the previous transaction may have been rolled back.
final class SQLiteAuditHead: Sendable {
    private enum Knowledge {
        case none
        /// Nil if the chain has no entry.
        case head(AuditHead?)
    }

    private let knowledge = Mutex(Knowledge.none)

    /// Drops the cached head when a transaction begins.
    func forget() { knowledge.withLock { $0 = .none } }

    /// Records that the current transaction has written the entry of `head`.
    func advance(to head: AuditHead) { knowledge.withLock { $0 = .head(head) } }

    /// Returns the chain's current head, read with `read` if it is not cached; nil if the chain has no entry.
    func current(_ read: () throws -> AuditHead?) rethrows -> AuditHead? {
        if case .head(let head) = knowledge.withLock({ $0 }) { return head }
        let head = try read()
        knowledge.withLock { $0 = .head(head) }
        return head
    }
}
