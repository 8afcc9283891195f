public import Foundation
internal import Nightlatch
internal import NightlatchWire

/// A key of this device that signs for one user at one server.
public struct UserKey: Codable, Identifiable, Hashable, Sendable {
    /// The app's name for the key, otherwise its tag in the registry. It never leaves the device.
    public let keyTag: String
    /// The user's identity at the server.
    public let userId: String
    /// The user's displayed name. Empty if the server gave none.
    public let username: String
    /// The key's name on the wire.
    public let kid: String
    public let authType: DeviceBindingAuthenticationType
    public let createdAt: Date
    /// The key's displayed name.
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
