public import NightlatchWire

/// A transaction that waits for this device's person to decide, as the relying party has told it.
///
/// Only ``Session/pendingTransactions()`` makes one. So what is signed is what came, and what came is all in ``details``: show every part
/// of them, as it stands and in this order.
public struct PendingTransaction: Hashable, Identifiable, Sendable {
    public let id: TransactionID
    public let details: TransactionDetails

    /// Whether ``details`` can be shown. If not, a text in them has hidden characters, which an earlier relying party accepted: say that this
    /// transaction has a text that cannot be shown, and offer to reject it. To confirm it throws ``DecisionError/cannotBeShown``.
    public var canBeShown: Bool { details.canBeShown }

    init(_ notice: TransactionNotice) {
        id = notice.id
        details = notice.details
    }
}

extension Session {
    /// The transactions that this device may decide now, oldest first. The vault may be locked.
    public func pendingTransactions() async throws(SessionError) -> [PendingTransaction] {
        let list = try await proved(.pendingTransactions, path: Route.pendingTransactions.path).send {
            proof throws(RelyingPartyError) in
            try await relyingParty.pendingTransactions(Authorization(accessToken: accessToken, proof: proof))
        }
        return list.transactions.map(PendingTransaction.init)
    }
}
