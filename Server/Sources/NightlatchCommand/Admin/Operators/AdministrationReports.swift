import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// A user in the output of `--json`.
struct UserReport: Encodable {
    let user: UserID
    let createdAt: NumericDate
    let hasPassword: Bool
    let deviceCounts: UserRecord.DeviceCounts
    /// The user's profile; nil if there is none, and in a list of users.
    let profile: ProfileReport?
    /// The user's devices; nil in a list of users.
    let devices: [DeviceReport]?

    init(_ user: UserRecord, profile: StoredProfile? = nil, devices: [DeviceRecord]? = nil) {
        self.user = user.id
        createdAt = user.createdAt
        hasPassword = user.hasPassword
        deviceCounts = user.devices
        self.profile = profile.map { ProfileReport($0, of: user.id) }
        self.devices = devices?.map(DeviceReport.init)
    }

    private enum CodingKeys: String, CodingKey {
        case user, profile, devices
        case createdAt = "created_at"
        case hasPassword = "has_password"
        case deviceCounts = "device_counts"
    }
}

/// A device in the output of `--json`.
struct DeviceReport: Encodable {
    let id: DeviceID
    let user: UserID
    let client: ClientID
    let name: DeviceName
    let status: DeviceSummary.Status
    let keyID: KeyID
    let boundAt: NumericDate
    let lastLoginAt: NumericDate?
    let blockedAt: NumericDate?
    let blockedBy: ActingParty?
    let revokedAt: NumericDate?
    let replacedBy: DeviceID?

    init(_ device: DeviceRecord) {
        id = device.id
        user = device.user
        client = device.client
        name = device.name
        status = DeviceSummary.Status(device.stop)
        keyID = device.keyID
        boundAt = device.boundAt
        lastLoginAt = device.lastLoginAt
        blockedAt = device.block?.at
        blockedBy = device.block?.actor
        revokedAt = device.revokedAt
        replacedBy = device.replacedBy
    }

    private enum CodingKeys: String, CodingKey {
        case id, user, client, name, status
        case keyID = "key_id"
        case boundAt = "bound_at"
        case lastLoginAt = "last_login_at"
        case blockedAt = "blocked_at"
        case blockedBy = "blocked_by"
        case revokedAt = "revoked_at"
        case replacedBy = "replaced_by"
    }
}

/// A page of a list.
struct PageReport<Element: Encodable>: Encodable {
    let entries: [Element]
    /// The argument that gets the next page; nil on the last page.
    let next: String?
}

extension Table {
    init(of devices: [DeviceRecord]) {
        self.init("DEVICE", "STATUS", "BOUND", "LAST LOGIN", "NAME")
        for device in devices {
            add(
                device.id.rawValue, DeviceSummary.Status(device.stop).rawValue, device.boundAt.shown,
                device.lastLoginAt?.shown ?? "never", device.name.rawValue)
        }
    }

    init(of transactions: [RecordedTransaction]) {
        self.init("TRANSACTION", "STATE", "CREATED", "ENDED", "WHAT")
        for transaction in transactions {
            add(
                transaction.id.rawValue, transaction.state.rawValue, transaction.createdAt.shown,
                transaction.endedAt?.shown ?? "-", transaction.details.summary)
        }
    }
}
