import NightlatchRelyingParty
import NightlatchWire

/// A device in a table.
struct ShownDevice: Sendable {
    let name: String
    let address: String
    let state: String
    let boundAt: ShownTime
    let lastLoginAt: ShownTime?
    let id: String

    init(_ device: DeviceRecord, links: ConsoleLinks) {
        name = device.name.rawValue
        address = links.device(device.id, of: device.user)
        state = device.stop?.rawValue ?? "active"
        boundAt = ShownTime(device.boundAt)
        lastLoginAt = ShownTime(device.lastLoginAt)
        id = device.id.rawValue
    }
}
