public import NightlatchWire

/// A user as operators see one.
public struct RegisteredUser: Hashable, Sendable {
    public let id: UserID
    /// When the app's backend first named the user.
    public let createdAt: NumericDate
    public let hasPassword: Bool
    public let devices: DeviceCounts

    public init(id: UserID, createdAt: NumericDate, hasPassword: Bool, devices: DeviceCounts) {
        self.id = id
        self.createdAt = createdAt
        self.hasPassword = hasPassword
        self.devices = devices
    }

    /// How many devices there are of each kind. No device is counted twice.
    public struct DeviceCounts: Codable, Hashable, Sendable {
        public let active: Int
        public let blocked: Int
        /// Those that were replaced are among them.
        public let revoked: Int

        public init(active: Int, blocked: Int, revoked: Int) {
            self.active = active
            self.blocked = blocked
            self.revoked = revoked
        }
    }
}

extension RegisteredUser {
    /// What the ids of users begin with that a list is of, as a range of texts in the order of their bytes.
    package static func ids(startingWith prefix: UserID?) -> (from: String, below: String) {
        // No id has this character, and its bytes come after those of all that one may have.
        (prefix?.rawValue ?? "", (prefix?.rawValue ?? "") + "\u{10FFFF}")
    }
}
