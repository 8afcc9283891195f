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
    /// The ``JourneyStore/journeyGeneration(of:)`` with which a new user begins.
    ///
    /// It is random, so that journeys of a deleted user do not continue as a new user with the same id. There is room
    /// for 2^52 increments, and each number is exact in JSON.
    package static func newJourneyGeneration() -> Int { .random(in: 1...1 << 52) }

    /// The range of user ids that begin with `prefix`, in byte order.
    package static func ids(startingWith prefix: UserID?) -> (from: String, below: String) {
        // No id contains this character, and its bytes sort after those of all permitted characters.
        (prefix?.rawValue ?? "", (prefix?.rawValue ?? "") + "\u{10FFFF}")
    }
}
