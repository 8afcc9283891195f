public import NightlatchWire

/// A kind of record that a store keeps about a user, besides the user, the profile, the policy and the audit log.
public enum UserDataKind: String, Hashable, Sendable, CaseIterable {
    case appGrants = "app_grants"
    case devices
    case enrolmentCodes = "enrolment_codes"
    case journeyKeys = "journey_keys"
    case journeySessions = "journey_sessions"
    /// The role of a user who is an operator.
    case operators
    case passwords
    case remoteLogins = "remote_logins"
    case transactions
    case webhookDeliveries = "webhook_deliveries"
}

/// A record about a user, in any state. It contains no hash of a secret.
public enum UserDataRecord: Hashable, Sendable {
    case appGrant(AppGrant)
    /// A device, its login if it is logged in, and the state of its two-party PIN if it has one.
    case device(DeviceRecord, login: DeviceLogin?, pin: PinHardening?)
    /// An enrolment code: its end, and the key that has used it.
    case enrolmentCode(expiresAt: NumericDate, usedBy: KeyID?)
    case journeyKey(JourneyDevice)
    case journeySession(JourneySession)
    case operatorRole(Operator)
    /// The count of wrong attempts at the user's password, and the form of the hash if it was imported.
    case password(PasswordThrottle, imported: ImportedPasswordHash.Form?)
    case remoteLogin(RemoteLogin)
    case transaction(RecordedTransaction)
    /// An event about the user that is to be delivered to a webhook. The event itself is in the audit log.
    case webhookDelivery(WebhookDelivery)
}

/// The login of a device: how the user was verified, and the end of the refresh token.
public struct DeviceLogin: Hashable, Sendable {
    public let authentication: Authentication
    public let expiresAt: NumericDate

    public init(authentication: Authentication, expiresAt: NumericDate) {
        self.authentication = authentication
        self.expiresAt = expiresAt
    }
}

/// A record about a user, with its place among the records of its kind.
public struct UserDataEntry: Hashable, Sendable {
    /// The bytes by which the records of a kind are ordered.
    public let place: [UInt8]
    public let record: UserDataRecord

    public init(place: [UInt8], record: UserDataRecord) {
        self.place = place
        self.record = record
    }

    public init(id: String, record: UserDataRecord) { self.init(place: Array(id.utf8), record: record) }

    /// The record of a delivery to a webhook, at the place of its number.
    package init(_ delivery: WebhookDelivery) {
        self.init(
            place: (0..<8).map { UInt8(truncatingIfNeeded: delivery.number >> (56 - 8 * $0)) },
            record: .webhookDelivery(delivery))
    }
}

extension WebhookDelivery {
    /// The number of the delivery at a place of ``UserDataEntry``; 0 for the place before all.
    package static func number(of place: [UInt8]) -> Int { place.prefix(8).reduce(0) { $0 << 8 | Int($1) } }
}
