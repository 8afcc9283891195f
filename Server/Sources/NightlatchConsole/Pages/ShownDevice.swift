import NightlatchRelyingParty
import NightlatchWire

/// A device in a table.
struct ShownDevice: Sendable {
    let user: String
    let userAddress: String
    let client: String
    let name: String
    let address: String
    let state: String
    let boundAt: ShownTime
    let lastLoginAt: ShownTime?
    let id: String

    init(_ device: DeviceRecord, links: ConsoleLinks) {
        user = device.user.rawValue
        userAddress = links.user(device.user)
        client = device.client.rawValue
        name = device.name.rawValue
        address = links.device(device.id, of: device.user)
        state = device.stop?.rawValue ?? "active"
        boundAt = ShownTime(device.boundAt)
        lastLoginAt = ShownTime(device.lastLoginAt)
        id = device.id.rawValue
    }
}
