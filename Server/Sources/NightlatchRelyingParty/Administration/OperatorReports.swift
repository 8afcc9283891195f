import NightlatchWire

/// A user as operators see it.
package struct UserReport: Encodable, Sendable {
    private let user: UserID
    private let createdAt: NumericDate
    private let hasPassword: Bool
    private let deviceCounts: UserRecord.DeviceCounts
    /// The user's profile; nil if there is none, and in a list of users.
    private let profile: ProfileReport?
    /// The user's devices; nil in a list of users.
    private let devices: [DeviceReport]?

    package init(_ user: UserRecord, profile: StoredProfile? = nil, devices: [DeviceRecord]? = nil) {
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

/// A device as operators see it.
package struct DeviceReport: Encodable, Sendable {
    private let id: DeviceID
    private let user: UserID
    private let client: ClientID
    private let name: DeviceName
    private let status: DeviceSummary.Status
    private let keyID: KeyID
    private let boundAt: NumericDate
    private let lastLoginAt: NumericDate?
    private let blockedAt: NumericDate?
    private let blockedBy: ActingParty.Kind?
    private let revokedAt: NumericDate?
    private let replacedBy: DeviceID?

    package init(_ device: DeviceRecord) {
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

/// A journey key as operators see it.
package struct JourneyKeyReport: Encodable, Sendable {
    private let id: JourneyKeyID
    private let user: UserID
    private let application: String
    private let name: DeviceName
    private let machine: MachineID
    private let algorithm: SignatureAlgorithm
    private let keyID: KeyID
    private let boundAt: NumericDate
    private let lastAccessAt: NumericDate

    package init(_ device: JourneyDevice) {
        id = device.id
        user = device.user
        application = device.application
        name = device.name
        machine = device.machine
        algorithm = device.algorithm
        keyID = device.key.thumbprint
        boundAt = device.boundAt
        lastAccessAt = device.lastAccessAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, user, application, name, machine, algorithm
        case keyID = "key_id"
        case boundAt = "bound_at"
        case lastAccessAt = "last_access_at"
    }
}

/// A journey session as operators see it. It does not contain the token, which only the client has.
package struct JourneySessionReport: Encodable, Sendable {
    private let user: UserID
    private let journey: String
    private let key: JourneyKeyID?
    private let beganAt: NumericDate
    private let expiresAt: NumericDate

    package init(_ session: JourneySession) {
        user = session.user
        journey = session.journey
        key = session.key
        beganAt = session.beganAt
        expiresAt = session.expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case user, journey, key
        case beganAt = "began_at"
        case expiresAt = "expires_at"
    }
}

/// The effects of a deletion as operators see them.
package struct UserDeletionReport: Encodable, Sendable {
    private let pseudonym: UserID
    private let appGrants: Int
    private let devices: Int
    private let erasedEntries: Int
    private let journeyKeys: Int
    private let journeySessions: Int
    private let namedEntries: Int
    private let remoteLogins: Int
    private let transactions: Int

    package init(_ deletion: UserDeletion) {
        pseudonym = deletion.pseudonym
        appGrants = deletion.appGrants
        devices = deletion.devices
        erasedEntries = deletion.erasedEntries
        journeyKeys = deletion.journeyKeys
        journeySessions = deletion.journeySessions
        namedEntries = deletion.namedEntries
        remoteLogins = deletion.remoteLogins
        transactions = deletion.transactions
    }

    private enum CodingKeys: String, CodingKey {
        case pseudonym, devices, transactions
        case appGrants = "app_grants"
        case erasedEntries = "erased_entries"
        case journeyKeys = "journey_keys"
        case journeySessions = "journey_sessions"
        case namedEntries = "named_entries"
        case remoteLogins = "remote_logins"
    }
}
