import NightlatchRelyingParty
import NightlatchWire

/// The operator of the demonstration's server, who registers apps, and blocks and revokes phones.
struct DemoOperator: Sendable {
    let administration: Administration
    let user: UserID
    let shop: App
    let events: ServerEvents

    /// An action on the user's phones.
    enum Action: String {
        case block = "blocked"
        case unblock = "unblocked"
        case revoke = "revoked"
    }

    /// Applies an action to every phone of the user that is not revoked.
    func apply(_ action: Action) async throws(AdministrationError) {
        for device in try await administration.devices(of: user) where device.revokedAt == nil {
            switch action {
            case .block: _ = try await administration.block(device.id, of: user)
            case .unblock: _ = try await administration.unblock(device.id, of: user)
            case .revoke: _ = try await administration.revoke(device.id, of: user)
            }
            await events.note(
                "Device \(action.rawValue)",
                ["Device": ExchangeReading.short(device.id.rawValue), "User": user.rawValue])
        }
    }

    /// Registers the shop. When this returns, its users can log in with their phones.
    func registerShop() async throws(AdministrationError) {
        let (stored, _) = try await administration.put(AppRequest(shop, replacing: nil, renewsSecret: false))
        await events.note(
            "App registered",
            [
                "App": "\(stored.app.name) (\(stored.app.id))",
                "Redirect URI": stored.app.redirectURIs.map(\.rawValue).joined(separator: " "),
            ])
        // For an app that it does not know, the server reads the store again, but at most once a second.
        do {
            try await Task.sleep(for: .seconds(1))
        } catch {
            return
        }
    }
}
