/// The devices of one user.
public struct DeviceList: Codable, Hashable, Sendable {
    public let devices: [DeviceSummary]

    public init(devices: [DeviceSummary]) {
        self.devices = devices
    }
}

/// One device as its user sees it.
public struct DeviceSummary: Codable, Hashable, Sendable {
    public let id: DeviceID
    public let name: DeviceName
    public let boundAt: NumericDate
    public let lastLoginAt: NumericDate?
    public let status: Status
    /// Whether it is the device that asks.
    public let isCurrent: Bool

    /// What the device may do. The set may grow, so a `switch` over it needs a default: a device of a status that this version
    /// does not know is not known to be ``active``. It is not text to be shown.
    public struct Status: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let active = Self(rawValue: "active")
        /// It cannot log in until somebody undoes that.
        public static let blocked = Self(rawValue: "blocked")
        /// It can log in no more.
        public static let revoked = Self(rawValue: "revoked")
        /// It can log in no more: another device of the user has taken its place.
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

    /// A name that an earlier version of the relying party has taken is read, so that it does not hide the whole list.
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

/// A user gives a device another name.
public struct RenameDeviceRequest: Codable, Hashable, Sendable {
    public let name: DeviceName

    public init(name: DeviceName) {
        self.name = name
    }
}
