import Foundation
import NightlatchWire
import Testing

extension TransactionRequest {
    /// Returns a new transaction that all devices of a user may decide.
    static func example(for user: UserID) throws -> Self {
        let details = TransactionDetails(
            amount: try #require(MoneyAmount(rawValue: "129.90")),
            currency: try #require(CurrencyCode(rawValue: "EUR")),
            payee: try #require(Payee(rawValue: "Night Train Ltd")), lines: [],
            expiresAt: NumericDate(Date()) + .seconds(600))
        return Self(id: .random(), user: user, devices: .allDevices, details: try #require(details))
    }
}
