import Foundation
import Nightlatch
import NightlatchWire

extension TransactionRequest {
    /// Returns a new transaction that all devices of a user may decide.
    static func example(for user: UserID) throws -> Self {
        let details = try TransactionDetails(
            amount: "129.90", currency: "EUR", payee: "Night Train Ltd",
            expiresAt: NumericDate(Date()) + .seconds(600))
        return Self(id: .random(), user: user, devices: .allDevices, details: details)
    }
}
