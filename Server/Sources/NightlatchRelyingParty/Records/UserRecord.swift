public import NightlatchWire

/// A user, for display to operators.
public struct UserRecord: Hashable, Sendable {
    public let id: UserID
    /// The time at which the user was created.
    public let createdAt: NumericDate
    public let hasPassword: Bool
    public let devices: DeviceCounts

    public init(id: UserID, createdAt: NumericDate, hasPassword: Bool, devices: DeviceCounts) {
        self.id = id
        self.createdAt = createdAt
        self.hasPassword = hasPassword
        self.devices = devices
    }

    /// The number of devices by status. No device is counted twice.
    public struct DeviceCounts: Codable, Hashable, Sendable {
        public let active: Int
        public let blocked: Int
        /// Includes replaced devices.
        public let revoked: Int

        public init(active: Int, blocked: Int, revoked: Int) {
            self.active = active
            self.blocked = blocked
            self.revoked = revoked
        }
    }
}

extension UserRecord {
    /// The ``JourneyStore/journeyGeneration(of:)`` of a user that a backend or an operator creates at `time`.
    ///
    /// It is higher than the generation of an earlier user with the same id, so that journeys of the deleted user do
    /// not continue as the new one. A user that a journey creates begins with 0, because that journey continues.
    package static func firstJourneyGeneration(at time: NumericDate) -> Int { time.secondsSince1970 << 20 }

    /// The range of user ids that begin with `prefix`, in byte order.
    package static func ids(startingWith prefix: UserID?) -> (from: String, below: String) {
        // No id contains this character, and its bytes sort after those of all permitted characters.
        (prefix?.rawValue ?? "", (prefix?.rawValue ?? "") + "\u{10FFFF}")
    }
}
