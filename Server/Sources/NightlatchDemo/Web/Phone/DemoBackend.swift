import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// The backend of the demonstration's app. It gets enrolment codes for the user, and creates payments to be confirmed.
struct DemoBackend: Sendable {
    let user: UserID = "alice"
    /// The user's password at the app's service. The page shows it, because the person at the page plays the user.
    static let password = "third lantern"
    private let connection: HTTPBackend

    init(issuer: Issuer, key: BackendKey) {
        connection = HTTPBackend(issuer: issuer, key: key)
    }

    /// Sets the user's password. With it the user signs in after the PIN was blocked.
    func setPassword() async throws(RelyingPartyError) {
        guard let password = Password(rawValue: Self.password) else { return }
        _ = try await connection.setPassword(Credentials(user: user, password: password))
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
