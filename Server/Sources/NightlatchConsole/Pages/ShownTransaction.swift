import NightlatchRelyingParty
import NightlatchWire

/// A transaction in a table.
struct ShownTransaction: Sendable {
    let user: String
    let userAddress: String
    let payee: String
    let address: String
    let amount: String
    let state: String
    let createdAt: ShownTime
    let expiresAt: ShownTime
    let endedAt: ShownTime?

    init(_ transaction: RecordedTransaction, links: ConsoleLinks) {
        user = transaction.user.rawValue
        userAddress = links.user(transaction.user)
        payee = transaction.details.payee.rawValue
        address = links.transaction(transaction.id)
        amount = transaction.details.shownAmount
        state = transaction.state.rawValue
        createdAt = ShownTime(transaction.createdAt)
        expiresAt = ShownTime(transaction.details.expiresAt)
        endedAt = ShownTime(transaction.endedAt)
    }
}

extension TransactionDetails {
    /// The amount with its currency.
    var shownAmount: String { "\(amount.rawValue) \(currency.rawValue)" }
}
