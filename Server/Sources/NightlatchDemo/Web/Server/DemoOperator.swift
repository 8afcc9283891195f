import NightlatchRelyingParty
import NightlatchWire

/// The operator of the demonstration's server, who revokes a lost phone.
struct DemoOperator: Sendable {
    let administration: Administration
    let user: UserID

    /// Revokes every phone of the user.
    func revokePhones() async throws(AdministrationError) {
        for device in try await administration.devices(of: user) {
            _ = try await administration.revoke(device.id, of: user)
        }
    }
}
