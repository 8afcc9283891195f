import Foundation
import NightlatchWire

extension TransactionDetails {
    /// All of them, for a person to read before deciding: one line each, in their order.
    var shownLines: [String] {
        ["Pay: \(amount) \(currency)", "To: \(payee)"] + lines.map { "\($0.label): \($0.value)" }
            + ["Until: \(expiresAt.date.formatted(.iso8601))"]
    }

    /// The most important of them, in one line.
    var summary: String { "\(amount) \(currency) to \(payee)" }
}
