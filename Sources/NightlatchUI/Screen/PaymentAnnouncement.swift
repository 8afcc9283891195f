public import Nightlatch
import NightlatchWire

/// An announcement that a screen reader speaks when payments appear on the screen. The focus does not move.
public struct PaymentAnnouncement: Hashable, Sendable {
    public let text: String

    /// Creates the announcement for a change of the list of payments. Returns nil if there is no new payment.
    ///
    /// For a single new payment, the text contains the amount and the payee. For several payments, or for one whose
    /// details cannot be shown (`PendingTransaction.canBeShown`), it contains only the number of payments.
    ///
    /// - Parameters:
    ///   - old: The payments before the change.
    ///   - new: The payments now.
    ///   - strings: The texts in the user's language.
    public init?(from old: [PendingTransaction], to new: [PendingTransaction], in strings: PinPadStrings) {
        let known = Set(old.map(\.id))
        let added = new.filter { !known.contains($0.id) }
        guard let first = added.first else { return nil }
        guard added.count == 1, first.canBeShown else {
            text = strings[.newPayments(added.count)]
            return
        }
        let (details, amount) = (first.details, first.details.amount.rawValue)
        text =
            strings[
                .newPayment(amount: "\(amount) \(details.currency.rawValue)", payee: details.payee.rawValue)]
    }
}
