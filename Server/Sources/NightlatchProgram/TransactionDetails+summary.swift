package import NightlatchWire

extension TransactionDetails {
    /// The most important details in one line.
    package var summary: String { "\(amount) \(currency) to \(payee)" }
}
