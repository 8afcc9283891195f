import NightlatchRelyingParty
import NightlatchWire

/// Whoever runs the demonstration's server, and takes a phone out that was lost.
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
