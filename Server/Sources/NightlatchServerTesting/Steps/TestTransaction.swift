package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// Transactions for tests.
package enum TestTransaction {
    package static func details(
        amount: String = "129.90",
        currency: String = "EUR",
        payee: String = "Night Train Ltd",
        lines: [(String, String)] = [("Reference", "Berth 7"), ("From", "Savings")],
        expiresAt: NumericDate = TestTime.start + .seconds(600)
    ) throws -> TransactionDetails {
        try TransactionDetails(
            amount: MoneyAmount(validating: amount), currency: CurrencyCode(validating: currency),
            payee: Payee(validating: payee),
            lines: lines.map { label, value in
                try TransactionDetails.Line(label: LineLabel(validating: label), value: LineValue(validating: value))
            },
            expiresAt: expiresAt)
    }

    /// Returns variants of ``details()``, each with one changed member.
    package static func changedDetails() throws -> [TransactionDetails] {
        [
            try details(amount: "129.91"), try details(amount: "129.9"), try details(currency: "USD"),
            try details(payee: "Night Train Ltd."), try details(lines: [("Reference", "Berth 7")]),
            try details(lines: [("From", "Savings"), ("Reference", "Berth 7")]),
            try details(lines: [("Reference", "Berth 8"), ("From", "Savings")]),
            try details(lines: [("Reference.", "Berth 7"), ("From", "Savings")]),
            try details(expiresAt: TestTime.start + .seconds(601)),
        ]
    }

    package static func new(
        id: TransactionID = .random(),
        user: UserID,
        addressees: TransactionAddressees = .allDevices,
        details: TransactionDetails? = nil,
        pendingLimit: Int = 10,
        longestLife: Duration = .seconds(86400)
    ) throws -> NewTransaction {
        NewTransaction(
            id: id, user: user, addressees: addressees, details: try details ?? Self.details(),
            pendingLimit: pendingLimit, longestLife: longestLife, createdBy: .backend)
    }

    /// Returns a device's decision on a transaction with its original details.
    package static func decision(
        _ decision: TransactionDecision, on transaction: NewTransaction, by device: DeviceID
    ) -> NewDecision {
        NewDecision(
            transaction: transaction.id, user: transaction.user, device: device, decision: decision,
            detailsHash: transaction.details.hash, message: "a.b.c")
    }
}
