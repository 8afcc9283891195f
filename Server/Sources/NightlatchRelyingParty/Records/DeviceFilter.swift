public import NightlatchWire

/// The devices that a list shows. A device must match each member that is not nil.
public struct DeviceFilter: Hashable, Sendable {
    /// The smallest number of digits of an id by which devices are searched. Fewer would match a large part of all.
    public static let shortestID = 4

    /// The beginning of the device's name, without regard to case.
    public var name: SearchText?
    /// The beginning of the device's id; hexadecimal digits with small letters, at least ``shortestID``.
    public var id: String?
    public var status: Status?
    /// The app that bound the device.
    public var client: ClientID?

    public init(name: SearchText? = nil, id: String? = nil, status: Status? = nil, client: ClientID? = nil) {
        self.name = name
        self.id = id
        self.status = status
        self.client = client
    }

    /// The state of the devices.
    public enum Status: String, CaseIterable, Sendable {
        case active
        case blocked
        /// Revoked by its user or an operator, or replaced.
        case revoked
        /// No guess is left at the device's two-party PIN, and its keys are not destroyed yet.
        case pinUsedUp = "pin_used_up"
    }

    /// Whether the list is ordered by the devices' ids, and not by their names.
    ///
    /// It is, where the ids or the states of PINs select few devices.
    package var isOrderedByID: Bool { id != nil || status == .pinUsedUp }

    /// Whether a device matches.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - isPinUsedUp: Whether no guess is left at its two-party PIN.
    package func matches(_ device: DeviceRecord, isPinUsedUp: Bool) -> Bool {
        let hasStatus =
            switch status {
            case nil: true
            case .active: device.stop == nil
            case .blocked: device.stop == .blocked
            case .revoked: device.revokedAt != nil
            case .pinUsedUp: isPinUsedUp
            }
        let hasName = name.map { SearchText(device.name.rawValue).folded.utf8.starts(with: $0.folded.utf8) } ?? true
        return hasStatus && hasName && (id.map { device.id.rawValue.utf8.starts(with: $0.utf8) } ?? true)
            && (client.map { device.client == $0 } ?? true)
    }
}
