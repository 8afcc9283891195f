public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func beginExport(
        of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> UserRecord? {
        try await write { transaction in
            // A deletion waits for this lock, and then finds the entry.
            try transaction.send(Self.lockUser, .text(user.rawValue))
            let record = try Self.user(user, in: transaction)
            if record != nil { try transaction.append(AuditEvent(.userExported, by: actor, user: user)) }
            return record
        }
    }

    public func userData(
        _ kind: UserDataKind, of user: UserID, after place: [UInt8]?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserDataEntry] {
        try await read { transaction in
            let page = UserDataPage(user: user, place: place ?? [], limit: limit, transaction: transaction)
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

    /// The ids of the devices of a user, which is the first parameter.
    static let devicesOfUser = """
        SELECT id FROM device WHERE user_id = $1 AND revoked_at IS NULL
        UNION ALL SELECT id FROM device WHERE user_id = $1 AND revoked_at IS NOT NULL
        """
}

/// One page of the records of a user.
private struct UserDataPage {
    let user: UserID
    /// The place after which the page begins; empty for the first page.
    let place: [UInt8]
    let limit: Int
    let transaction: PostgresTransaction

    private var id: String { String(decoding: place, as: UTF8.self) }

    /// Runs a query for the user, the place as text, and the limit.
    private func rows(_ query: String) throws(PostgresFailure) -> PostgresRows {
        try transaction.rows(query, .text(user.rawValue), .text(id), .integer(limit))
    }

    /// Runs a query for the user, the place as bytes, and the limit.
    private func rowsByBytes(_ query: String) throws(PostgresFailure) -> PostgresRows {
        try transaction.rows(query, .text(user.rawValue), .bytes(place), .integer(limit))
    }

    func appGrants() throws -> [UserDataEntry] {
        try rows("SELECT \(AppGrant.columns) FROM app_grant WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3")
            .map { row throws(RelyingPartyStoreError) in
                let grant = try AppGrant(row)
                return UserDataEntry(id: grant.id.rawValue, record: .appGrant(grant))
            }
    }

    func devices() throws -> [UserDataEntry] {
        try rows(
            """
            SELECT \(DeviceRecord.columns), login_expires_at, authenticated_at, user_verification, state
            FROM device
            LEFT JOIN (
                SELECT device_id, expires_at AS login_expires_at, authenticated_at, user_verification FROM refresh_family
            ) AS login ON login.device_id = device.id
            LEFT JOIN pin_hardening ON pin_hardening.device_id = device.id
            WHERE id IN (\(PostgresStore.devicesOfUser)) AND id > $2 ORDER BY id LIMIT $3
            """
        ).map { row throws(RelyingPartyStoreError) in
            let device = try DeviceRecord(row)
            let login = try row.optionalDate("login_expires_at").map { expiresAt throws(RelyingPartyStoreError) in
                DeviceLogin(authentication: try Authentication(row), expiresAt: expiresAt)
            }
            let pin = try row.optionalBytes("state").map { stored throws(RelyingPartyStoreError) in
                try PinHardening(stored: stored)
            }
            return UserDataEntry(id: device.id.rawValue, record: .device(device, login: login, pin: pin))
        }
    }

    func enrolmentCodes() throws -> [UserDataEntry] {
        try rowsByBytes(
            """
            SELECT mac, expires_at, used_by_key_id FROM enrolment_code
            WHERE user_id = $1 AND mac > $2 ORDER BY mac LIMIT $3
            """
        ).map { row throws(RelyingPartyStoreError) in
            let key: KeyID? = try row.optionalText("used_by_key_id") == nil ? nil : row.identifier("used_by_key_id")
            return UserDataEntry(
                place: try row.bytes("mac"),
                record: .enrolmentCode(expiresAt: try row.date("expires_at"), usedBy: key))
        }
    }

    func journeyKeys() throws -> [UserDataEntry] {
        try rows(
            "SELECT \(JourneyDevice.columns) FROM journey_device WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        ).map { row throws(RelyingPartyStoreError) in
            let key = try JourneyDevice(row)
            return UserDataEntry(id: key.id.rawValue, record: .journeyKey(key))
        }
    }

    func journeySessions() throws -> [UserDataEntry] {
        try rowsByBytes(
            """
            SELECT \(JourneySession.columns), token_hash FROM journey_session
            WHERE user_id = $1 AND token_hash > $2 ORDER BY token_hash LIMIT $3
            """
        ).map { row throws(RelyingPartyStoreError) in
            UserDataEntry(place: try row.bytes("token_hash"), record: .journeySession(try JourneySession(row)))
        }
    }

    func operators() throws -> [UserDataEntry] {
        guard place.isEmpty else { return [] }
        return try transaction.rows(PostgresStore.operatorQuery + "WHERE user_id = $1", .text(user.rawValue))
            .map { row throws(RelyingPartyStoreError) in
                UserDataEntry(id: user.rawValue, record: .operatorRole(try Operator(row)))
            }
    }

    func passwords() throws -> [UserDataEntry] {
        guard place.isEmpty else { return [] }
        return try PasswordRow(of: user, lock: "", in: transaction).map { row in
            let record = UserDataRecord.password(row.throttle, imported: row.password.imported?.form)
            return [UserDataEntry(id: user.rawValue, record: record)]
        } ?? []
    }

    func remoteLogins() throws -> [UserDataEntry] {
        let now = try transaction.now()
        return try rows(
            "SELECT \(RemoteLogin.columns) FROM remote_login WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        ).map { row throws(RelyingPartyStoreError) in
            let login = try RemoteLogin(row, at: now)
            return UserDataEntry(id: login.id.rawValue, record: .remoteLogin(login))
        }
    }

    func transactions() throws -> [UserDataEntry] {
        try TransactionRow.fetchPage(of: user, after: id, limit: limit, now: transaction.now(), in: transaction)
            .map { UserDataEntry(id: $0.id.rawValue, record: .transaction($0)) }
    }

    func webhookDeliveries() throws -> [UserDataEntry] {
        try transaction.rows(
            """
            SELECT \(WebhookDelivery.columns) FROM webhook_delivery
            WHERE order_name = $1 AND died_at IS NULL AND id > $2
            UNION ALL SELECT \(WebhookDelivery.columns) FROM webhook_delivery
            WHERE order_name = $1 AND died_at IS NOT NULL AND id > $2 ORDER BY id LIMIT $3
            """,
            .text(user.rawValue), .integer(WebhookDelivery.number(of: place)), .integer(limit)
        ).map { row throws(RelyingPartyStoreError) in UserDataEntry(try WebhookDelivery(row)) }
    }
}
