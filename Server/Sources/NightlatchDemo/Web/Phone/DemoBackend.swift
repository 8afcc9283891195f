import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// The backend of the demonstration's app. It gets enrolment codes for the user, and creates payments to be confirmed.
struct DemoBackend: Sendable {
    let user: UserID = "alice"
    private let connection: HTTPBackend

    init(issuer: Issuer, key: BackendKey) {
        connection = HTTPBackend(issuer: issuer, key: key)
    }

    func enrolmentCode() async throws(RelyingPartyError) -> EnrolmentCode {
        try await connection.enrolmentCode(for: user).code
    }

    /// Asks for a payment that expires after an hour.
    func askForPayment() async throws(CommandFailure) {
        let details: TransactionDetails
        do {
            details = try TransactionDetails(
                amount: "129.90", currency: "EUR", payee: "Night Train Ltd",
                lines: [
                    .init(label: "Reference", value: "Berth 7, Friday"),
                    .init(label: "Route", value: "Zürich – Hamburg"),
                ],
                expiresAt: NumericDate(Date()) + .seconds(60 * 60))
        } catch {
            throw CommandFailure(error)
        }
        do {
            _ = try await connection.create(
                TransactionRequest(id: .random(), user: user, devices: .allDevices, details: details))
        } catch {
            throw CommandFailure(error)
        }
    }
}
