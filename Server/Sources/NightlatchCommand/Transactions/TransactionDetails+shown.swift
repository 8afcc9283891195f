import Foundation
import NightlatchRelyingParty
import NightlatchWire

extension TransactionDetails {
    /// All of them, for a person to read before deciding: one line each, in their order. Where they cannot be shown, the first line says so,
    /// and the others have escapes for what is hidden in them.
    var shownLines: [String] {
        let shown =
            ["Pay: \(amount) \(currency)", "To: \(payee)"] + lines.map { "\($0.label): \($0.value)" }
            + ["Until: \(expiresAt.date.formatted(.iso8601))"]
        guard !canBeShown else { return shown }
        return ["This transaction has a text that cannot be shown; it can only be rejected."] + shown.map(\.withEscapes)
    }

    /// The most important of them, in one line.
    var summary: String { "\(amount) \(currency) to \(payee)" }
}
