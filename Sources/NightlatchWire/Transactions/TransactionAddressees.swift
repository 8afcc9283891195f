/// The devices of a user that may decide on a transaction.
public enum TransactionAddressees: Hashable, Sendable {
    /// The range of the number of listed devices.
    public static let countRange = 1...16

    /// All devices of the user, including those that are bound later: `"all"` in JSON.
    case allDevices
    /// Only these devices: an array of distinct ids in JSON, with a count in ``countRange``.
    case devices(Set<DeviceID>)

    /// Whether `device`, one of the user's devices, may decide.
    public func include(_ device: DeviceID) -> Bool {
        switch self {
        case .allDevices: true
        case .devices(let devices): devices.contains(device)
        }
    }
}

extension TransactionAddressees: Codable {
    private static let allDevicesWord = "all"

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rule = "must be \"all\", or an array of 1 to 16 device ids, without duplicates"
        if let word = try? container.decode(String.self) {
            guard word == Self.allDevicesWord else {
                throw DecodingError.broken(rule, at: container.codingPath)
            }
            self = .allDevices
            return
        }
        let listed = try container.decode([DeviceID].self, rule: rule)
        let devices = Set(listed)
        guard Self.countRange.contains(listed.count), devices.count == listed.count else {
            throw DecodingError.broken(rule, at: container.codingPath)
        }
        self = .devices(devices)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .allDevices: try container.encode(Self.allDevicesWord)
        case .devices(let devices): try container.encode(devices.sorted { $0.rawValue < $1.rawValue })
        }
    }
}
