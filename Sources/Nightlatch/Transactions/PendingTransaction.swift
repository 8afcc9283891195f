public import NightlatchWire

/// A transaction that waits for the decision of this device's user, as the relying party has sent it.
///
/// Only ``Session/pendingTransactions()`` creates one. So the signed content is the received content, and ``details``
/// contains all of it: show every part, unchanged and in this order.
public struct PendingTransaction: Hashable, Identifiable, Sendable {
    public let id: TransactionID
    public let details: TransactionDetails

    /// Whether ``details`` can be shown.
    ///
    /// If not, a text in them has hidden characters, which earlier versions of the relying party accepted. Tell the
    /// user that this transaction has a text that cannot be shown, and offer to reject it. Confirming it throws
    /// ``DecisionError/cannotBeShown``.
    public var canBeShown: Bool { details.canBeShown }

    package init(_ notice: TransactionNotice) {
        id = notice.id
        details = notice.details
    }
}

extension Session {
    /// Returns the transactions that this device may decide now, oldest first. The vault may be locked.
    public func pendingTransactions() async throws(SessionError) -> [PendingTransaction] {
        let list = try await proved(.pendingTransactions, path: Route.pendingTransactions.path).send {
            proof throws(RelyingPartyError) in
            try await relyingParty.pendingTransactions(Authorization(accessToken: accessToken, proof: proof))
        }
        return list.transactions.map(PendingTransaction.init)
    }
}
