/// The devices of one user.
public struct DeviceList: Codable, Hashable, Sendable {
    public let devices: [DeviceSummary]

    public init(devices: [DeviceSummary]) {
        self.devices = devices
    }
}

/// One device in its user's list.
public struct DeviceSummary: Codable, Hashable, Sendable {
    public let id: DeviceID
    public let name: DeviceName
    public let boundAt: NumericDate
    public let lastLoginAt: NumericDate?
    public let status: Status
    /// Whether this device sent the request.
    public let isCurrent: Bool

    /// The status of a device: whether it can log in, or the reason why not.
    ///
    /// More statuses may be added, so a `switch` over them needs a default. Do not treat a device with an unknown
    /// status as ``active``. The raw value is not a text for people.
    public struct Status: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let active = Self(rawValue: "active")
        /// The device cannot log in until the user or an operator unblocks it.
        public static let blocked = Self(rawValue: "blocked")
        /// The device can never log in again.
        public static let revoked = Self(rawValue: "revoked")
        /// The device can never log in again, because a newer device of the user replaced it.
        public static let replaced = Self(rawValue: "replaced")
    }

    public init(
        id: DeviceID,
        name: DeviceName,
        boundAt: NumericDate,
        lastLoginAt: NumericDate?,
        status: Status,
        isCurrent: Bool
    ) {
        self.id = id
        self.name = name
        self.boundAt = boundAt
        self.lastLoginAt = lastLoginAt
        self.status = status
        self.isCurrent = isCurrent
    }

    /// Also accepts device names that only an earlier version of the relying party accepted. Otherwise one such name
    /// would make the whole list unreadable.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let name = DeviceName.stored(try container.decode(String.self, forKey: .name)) else {
            throw DecodingError.broken(
                "must be a string: " + DeviceNameRule.requirement, at: container.codingPath + [CodingKeys.name])
        }
        self.name = name
        id = try container.decode(DeviceID.self, forKey: .id)
        boundAt = try container.decode(NumericDate.self, forKey: .boundAt)
        lastLoginAt = try container.decodeIfPresent(NumericDate.self, forKey: .lastLoginAt)
        status = try container.decode(Status.self, forKey: .status)
        isCurrent = try container.decode(Bool.self, forKey: .isCurrent)
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, status
        case boundAt = "bound_at"
        case lastLoginAt = "last_login_at"
        case isCurrent = "current"
    }
}

/// A user's request to rename a device.
public struct RenameDeviceRequest: Codable, Hashable, Sendable {
    public let name: DeviceName

    public init(name: DeviceName) {
        self.name = name
    }
}
