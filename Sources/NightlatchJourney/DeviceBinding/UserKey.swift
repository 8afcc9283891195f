public import Foundation
internal import Nightlatch
internal import NightlatchWire

/// A key of this device that signs for one user at one server.
public struct UserKey: Codable, Identifiable, Hashable, Sendable {
    /// What the app has called the key, or else what it is kept under. It never leaves the device.
    public let keyTag: String
    /// The user's identity at the server.
    public let userId: String
    /// The user's name for a screen; empty if the server gave none.
    public let username: String
    /// The key's name on the wire.
    public let kid: String
    public let authType: DeviceBindingAuthenticationType
    public let createdAt: Date
    /// The key's name for a screen.
    public let name: String

    public var id: String { kid }
}

extension UserKey {
    init(_ entry: UserKeyEntry) {
        keyTag = entry.label ?? entry.tag.rawValue
        userId = entry.owner.user
        username = entry.userName
        kid = entry.keyID
        authType = DeviceBindingAuthenticationType(entry.protection)
        createdAt = entry.createdAt.date
        name = entry.name
    }
}
