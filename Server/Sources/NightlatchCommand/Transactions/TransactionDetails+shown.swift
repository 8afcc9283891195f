import Foundation
import NightlatchRelyingParty
import NightlatchWire

extension TransactionDetails {
    /// All details for the user to read before deciding, one in each line.
    ///
    /// If a text cannot be shown safely, the first line is a warning, and hidden characters in the other lines are
    /// escaped.
    var shownLines: [String] {
        let shown =
            ["Pay: \(amount) \(currency)", "To: \(payee)"] + lines.map { "\($0.label): \($0.value)" }
            + ["Until: \(expiresAt.date.formatted(.iso8601))"]
        guard !canBeShown else { return shown }
        return ["This transaction has a text that cannot be shown; it can only be rejected."] + shown.map(\.withEscapes)
    }
}
