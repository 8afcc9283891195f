import NightlatchRelyingParty
import NightlatchWire

/// The operator of the demonstration's server, who registers apps and revokes a lost phone.
struct DemoOperator: Sendable {
    let administration: Administration
    let user: UserID
    let shop: App
    let events: ServerEvents

    /// Revokes every phone of the user.
    func revokePhones() async throws(AdministrationError) {
        for device in try await administration.devices(of: user) {
            let revoked = try await administration.revoke(device.id, of: user)
            await events.note(
                "Device revoked", ["Device": ExchangeReading.short(revoked.id.rawValue), "User": user.rawValue])
        }
    }

    /// Registers the shop. Its users can then log in with their phones.
    func registerShop() async throws(AdministrationError) {
        let (stored, _) = try await administration.put(AppRequest(shop, replacing: nil, renewsSecret: false))
        await events.note(
            "App registered",
            [
                "App": "\(stored.app.name) (\(stored.app.id))",
                "Redirect URI": stored.app.redirectURIs.map(\.rawValue).joined(separator: " "),
            ])
    }
}
