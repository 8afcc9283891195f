import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// The backend of the demonstration's app. It gets enrolment codes for the user, and creates payments to be confirmed.
struct DemoBackend: Sendable {
    let user: UserID
    private let connection: HTTPBackend
    private let details: @Sendable (NumericDate) -> TransactionDetails?

    init(issuer: Issuer, key: BackendKey) throws(CommandFailure) {
        guard let user = UserID(rawValue: "alice"), let amount = MoneyAmount(rawValue: "129.90"),
            let currency = CurrencyCode(rawValue: "EUR"), let payee = Payee(rawValue: "Night Train Ltd"),
            let reference = LineLabel(rawValue: "Reference"), let berth = LineValue(rawValue: "Berth 7, Friday"),
            let route = LineLabel(rawValue: "Route"), let cities = LineValue(rawValue: "Zürich – Hamburg")
        else { throw CommandFailure(.defect, "the names of the demonstration are not valid") }
        self.user = user
        connection = HTTPBackend(issuer: issuer, key: key)
        details = { expiry in
            TransactionDetails(
                amount: amount, currency: currency, payee: payee,
                lines: [.init(label: reference, value: berth), .init(label: route, value: cities)], expiresAt: expiry)
        }
    }

    func enrolmentCode() async throws(RelyingPartyError) -> EnrolmentCode {
        try await connection.enrolmentCode(for: user).code
    }

    /// Asks for a payment that expires after an hour.
    func askForPayment() async throws(RelyingPartyError) {
        guard let details = details(NumericDate(Date()) + .seconds(60 * 60)) else { return }
        _ = try await connection.create(
            TransactionRequest(id: .random(), user: user, devices: .allDevices, details: details))
    }
}
