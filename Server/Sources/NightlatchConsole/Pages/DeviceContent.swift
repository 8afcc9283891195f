import NightlatchRelyingParty
import NightlatchWire

/// The values for the template of a device.
struct DeviceContent: Sendable {
    let state: String
    let stateSentence: String
    let user: String
    let userAddress: String
    let boundAt: ShownTime
    let lastLoginAt: ShownTime?
    let client: String
    let id: String
    let algorithm: String
    let key: String
    let actions: [Action]

    struct Action: Sendable {
        let text: String
        let address: String
        let sentence: String
        let isGrave: Bool
    }

    /// - Parameters:
    ///   - device: The device.
    ///   - links: The addresses of the console's pages.
    ///   - isOpen: Whether the operator may open a page.
    init(_ device: DeviceRecord, links: ConsoleLinks, isOpen: (ConsolePath) -> Bool) {
        state = device.stop?.rawValue ?? "active"
        stateSentence = Self.sentence(on: device)
        user = device.user.rawValue
        userAddress = links.user(device.user)
        boundAt = ShownTime(device.boundAt)
        lastLoginAt = ShownTime(device.lastLoginAt)
        client = device.client.rawValue
        id = device.id.rawValue
        algorithm = device.algorithm.rawValue
        key = device.keyID.rawValue
        let changes: [DeviceChangeForm] =
            switch device.stop {
            case nil: [.block, .revoke]
            case .blocked: [.unblock, .revoke]
            case .revoked, .replaced: []
            }
        let renaming =
            isOpen(.renameDevice)
            ? [
                Action(
                    text: "Rename…", address: links.device(device.id, of: device.user, page: .renameDevice),
                    sentence: "The user sees the name in the list of devices.", isGrave: false)
            ] : []
        actions =
            renaming
            + changes.filter { isOpen($0.path) }.map { change in
                Action(
                    text: change.linkText, address: links.device(device.id, of: device.user, page: change.path),
                    sentence: change.summary, isGrave: change == .revoke)
            }
    }

    private static func sentence(on device: DeviceRecord) -> String {
        let since = (device.revokedAt ?? device.block?.at).map { ShownTime($0).text } ?? ""
        return switch device.stop {
        case nil: "It can log in."
        case .blocked: "It was blocked at \(since) and cannot log in until it is unblocked."
        case .revoked: "It was revoked at \(since) and can never log in again."
        case .replaced: "Another device replaced it at \(since)."
        }
    }
}
