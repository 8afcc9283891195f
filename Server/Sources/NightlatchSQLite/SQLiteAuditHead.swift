import NightlatchRelyingParty
import Synchronization

/// Where a store's chain stands in the transaction that is being written, which is asked of the file once for all entries of it.
///
/// What a transaction knew is forgotten when the next one begins: it may have been rolled back.
final class SQLiteAuditHead: Sendable {
    private enum Knowledge {
        case none
        /// Nil if the chain has no entry.
        case head(AuditHead?)
    }

    private let knowledge = Mutex(Knowledge.none)

    /// A transaction begins.
    func forget() { knowledge.withLock { $0 = .none } }

    /// The entry of `head` is written, in the transaction that is under way.
    func advance(to head: AuditHead) { knowledge.withLock { $0 = .head(head) } }

    /// The chain's last row so far, by `read` if it is not known; nil if the chain has no entry.
    func current(_ read: () throws -> AuditHead?) rethrows -> AuditHead? {
        if case .head(let head) = knowledge.withLock({ $0 }) { return head }
        let head = try read()
        knowledge.withLock { $0 = .head(head) }
        return head
    }
}
