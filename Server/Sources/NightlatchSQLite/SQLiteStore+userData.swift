import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func beginExport(
        of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> UserRecord? {
        try await write { database, now in
            let record = try Self.user(user, in: database)
            if record != nil { try append(AuditEvent(.userExported, by: actor, user: user), at: now, in: database) }
            return record
        }
    }

    public func userData(
        _ kind: UserDataKind, of user: UserID, after place: [UInt8]?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserDataEntry] {
        let now = clock.now()
        return try read { database in
            let page = UserDataPage(user: user, place: place ?? [], limit: limit, now: now, database: database)
            return switch kind {
            case .appGrants: try page.appGrants()
            case .devices: try page.devices()
            case .enrolmentCodes: try page.enrolmentCodes()
            case .journeyKeys: try page.journeyKeys()
            case .journeySessions: try page.journeySessions()
            case .operators: try page.operators()
            case .passwords: try page.passwords()
            case .remoteLogins: try page.remoteLogins()
            case .transactions: try page.transactions()
            case .webhookDeliveries: try page.webhookDeliveries()
            }
        }
    }

    /// The ids of the devices of a user, which is the parameter in both places.
    static let devicesOfUser = """
        SELECT id FROM device WHERE user_id = ? AND revoked_at IS NULL
        UNION ALL SELECT id FROM device WHERE user_id = ? AND revoked_at IS NOT NULL
        """
}

/// One page of the records of a user.
private struct UserDataPage {
    let user: UserID
    /// The place after which the page begins; empty for the first page.
    let place: [UInt8]
    let limit: Int
    let now: NumericDate
    let database: Database

    /// The user, the place as text, and the limit.
    private var values: [KeptStatement.Value] {
        [.text(user.rawValue), .text(String(decoding: place, as: UTF8.self)), .integer(limit)]
    }

    /// The user, the place as bytes, and the limit.
    private var valuesWithBytes: [KeptStatement.Value] { [.text(user.rawValue), .blob(place), .integer(limit)] }

    func appGrants() throws -> [UserDataEntry] {
        try KeptStatement(
            "SELECT \(AppGrant.columns) FROM app_grant WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?", in: database
        ).all(values: values) { row in
            let grant = try AppGrant(row)
            return UserDataEntry(id: grant.id.rawValue, record: .appGrant(grant))
        }
    }

    func devices() throws -> [UserDataEntry] {
        try KeptStatement(
            """
            SELECT \(DeviceRecord.columns), family_expires_at, authenticated_at, user_verification, state
            FROM device LEFT JOIN pin_hardening ON device_id = id
            WHERE id IN (\(SQLiteStore.devicesOfUser)) AND id > ? ORDER BY id LIMIT ?
            """, in: database
        ).all(values: [.text(user.rawValue)] + values) { row in
            let device = try DeviceRecord(row)
            let login = try row.optionalDate(14).map { expiresAt in
                DeviceLogin(
                    authentication: try Authentication(row, time: 15, verification: 16), expiresAt: expiresAt)
            }
            let pin = try row.optionalBlob(17).map { stored in try PinHardening(stored: stored) }
            return UserDataEntry(id: device.id.rawValue, record: .device(device, login: login, pin: pin))
        }
    }

    func enrolmentCodes() throws -> [UserDataEntry] {
        try KeptStatement(
            """
            SELECT mac, expires_at, used_by_key_id FROM enrolment_code WHERE user_id = ? AND mac > ? ORDER BY mac LIMIT ?
            """, in: database
        ).all(values: valuesWithBytes) { row in
            UserDataEntry(
                place: try row.blob(0),
                record: .enrolmentCode(expiresAt: try row.date(1), usedBy: try row.optionalIdentifier(2)))
        }
    }

    func journeyKeys() throws -> [UserDataEntry] {
        try KeptStatement(
            "SELECT \(JourneyDevice.columns) FROM journey_device WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
            in: database
        ).all(values: values) { row in
            let key = try JourneyDevice(row)
            return UserDataEntry(id: key.id.rawValue, record: .journeyKey(key))
        }
    }

    func journeySessions() throws -> [UserDataEntry] {
        try KeptStatement(
            """
            SELECT \(JourneySession.columns), token_hash FROM journey_session WHERE user_id = ? AND token_hash > ?
            ORDER BY token_hash LIMIT ?
            """, in: database
        ).all(values: valuesWithBytes) { row in
            UserDataEntry(place: try row.blob(6), record: .journeySession(try JourneySession(row)))
        }
    }

    func operators() throws -> [UserDataEntry] {
        guard place.isEmpty, let person = try SQLiteStore.operatorRecord(of: user, in: database) else { return [] }
        return [UserDataEntry(id: user.rawValue, record: .operatorRole(person))]
    }

    func passwords() throws -> [UserDataEntry] {
        guard place.isEmpty, let (password, throttle) = try SQLiteStore.password(of: user, in: database) else {
            return []
        }
        let record = UserDataRecord.password(throttle, imported: password.imported?.form)
        return [UserDataEntry(id: user.rawValue, record: record)]
    }

    func remoteLogins() throws -> [UserDataEntry] {
        try KeptStatement(
            "SELECT \(RemoteLogin.columns) FROM remote_login WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
            in: database
        ).all(values: values) { row in
            let login = try RemoteLogin(row, at: now)
            return UserDataEntry(id: login.id.rawValue, record: .remoteLogin(login))
        }
    }

    func transactions() throws -> [UserDataEntry] {
        try TransactionRow.fetchPage(
            of: user, after: String(decoding: place, as: UTF8.self), limit: limit, now: now, in: database
        ).map { UserDataEntry(id: $0.id.rawValue, record: .transaction($0)) }
    }

    func webhookDeliveries() throws -> [UserDataEntry] {
        try KeptStatement(
            """
            SELECT \(WebhookDelivery.columns) FROM webhook_delivery
            WHERE order_name = ?1 AND died_at IS NULL AND id > ?2
            UNION ALL SELECT \(WebhookDelivery.columns) FROM webhook_delivery
            WHERE order_name = ?1 AND died_at IS NOT NULL AND id > ?2 ORDER BY id LIMIT ?3
            """, in: database
        ).all(
            .text(user.rawValue), .integer(WebhookDelivery.number(of: place)), .integer(limit),
            read: WebhookDelivery.init
        ).map(UserDataEntry.init)
    }
}
