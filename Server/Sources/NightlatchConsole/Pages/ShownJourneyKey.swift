import NightlatchRelyingParty
import NightlatchWire

/// A journey key in a table and on its own page.
struct ShownJourneyKey: Sendable {
    let name: String
    let address: String
    let user: String
    let userAddress: String
    let boundAt: ShownTime
    let lastAccessAt: ShownTime
    let application: String
    let machine: String
    let id: String
    let algorithm: String
    let key: String
    let renaming: String
    let removal: String

    init(_ device: JourneyDevice, links: ConsoleLinks) {
        name = device.name.rawValue
        address = links.journeyKey(device.id, of: device.user)
        user = device.user.rawValue
        userAddress = links.user(device.user)
        boundAt = ShownTime(device.boundAt)
        lastAccessAt = ShownTime(device.lastAccessAt)
        application = device.application
        machine = device.machine.rawValue
        id = device.id.rawValue
        algorithm = device.algorithm.rawValue
        key = device.key.thumbprint.rawValue
        renaming = links.journeyKey(device.id, of: device.user, page: .renameJourneyKey)
        removal = links.journeyKey(device.id, of: device.user, page: .removeJourneyKey)
    }
}

/// A journey session in a table.
struct ShownJourneySession: Sendable {
    let journey: String
    let beganAt: ShownTime
    let expiresAt: ShownTime
    let key: String?

    init(_ session: JourneySession) {
        journey = session.journey
        beganAt = ShownTime(session.beganAt)
        expiresAt = ShownTime(session.expiresAt)
        key = session.key?.rawValue
    }
}
