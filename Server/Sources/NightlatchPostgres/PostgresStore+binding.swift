public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(RelyingPartyStoreError) -> NumericDate? {
        try await write { transaction in
            if let key = code.masterKey { try Self.lockedMasterKeyState(in: transaction).require(key) }
            if let password = code.password {
                // Locks the password, so that it cannot change before the code exists. A later change of the password
                // deletes the code.
                let isCurrent = try transaction.rows(
                    "SELECT 1 FROM password WHERE user_id = $1 AND hash = $2 AND salt = $3 FOR SHARE",
                    .text(code.user.rawValue), .bytes(password.hash), .bytes(password.salt))
                if isCurrent.isEmpty { return nil }
            }
            let now = try transaction.now()
            try Self.addUser(code.user, at: now, in: transaction)
            try transaction.send(
                "INSERT INTO enrolment_code (mac, user_id, expires_at) VALUES ($1, $2, $3)",
                .bytes(code.mac.bytes), .text(code.user.rawValue), .integer((now + code.life).secondsSince1970))
            try transaction.append(AuditEvent(.enrolmentCodeCreated, by: code.actor, user: code.user))
            return now + code.life
        }
    }

    public func user(
        enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID
    ) async throws(RelyingPartyStoreError) -> UserID? {
        try await read { transaction in
            let row = try transaction.rows(
                "SELECT user_id, expires_at, used_by_key_id FROM enrolment_code WHERE mac = $1", .bytes(code.bytes)
            ).first
            return try row.flatMap { try Self.user(enrolledBy: $0, deviceKey: deviceKey, now: transaction.now()) }
        }
    }

    public func bind(
        _ binding: NewBinding, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> BindingOutcome {
        try await write { transaction in
            // Locks the code, the user and the key, in this order. Bindings with the same code, user or key take turns
            // here, and each sees the writes of the earlier ones.
            let code = try transaction.send(
                "SELECT user_id, expires_at, used_by_key_id FROM enrolment_code WHERE mac = $1 FOR NO KEY UPDATE",
                .bytes(binding.enrolmentCode.bytes))
            try transaction.send(
                "SELECT 1 FROM user_account WHERE id = $1 FOR NO KEY UPDATE", .text(binding.user.rawValue))
            let keyID = binding.key.thumbprint
            let known = try transaction.send(
                "SELECT \(DeviceRecord.columns) FROM device WHERE key_id = $1 FOR NO KEY UPDATE",
                .text(keyID.rawValue))
            let active = try transaction.send(
                "SELECT count(*) AS count FROM device WHERE user_id = $1 AND revoked_at IS NULL",
                .text(binding.user.rawValue))
            let used = try transaction.send(UsedChallenge.query, .text(use.challenge.rawValue))

            let now = try transaction.now()
            guard now <= use.expiresAt else { return .challengeExpired }
            if let used = try used.rows().first.map(UsedChallenge.init) {
                guard used.message == use.message else { return .challengeUsed }
                let stop = try Self.device(used.device, of: binding.user, in: transaction)?.stop
                return stop.map(BindingOutcome.deviceStopped) ?? .bound(used.device)
            }
            let user = try code.rows().first.flatMap { try Self.user(enrolledBy: $0, deviceKey: keyID, now: now) }
            guard user == binding.user else { return .codeRefused }
            let outcome =
                if let device = try known.rows().first.map(DeviceRecord.init) {
                    try Self.bind(binding, to: device, in: transaction)
                } else {
                    try Self.bindNewKey(
                        of: binding, activeCount: active.rows().first?.integer("count"), now: now, in: transaction)
                }
            guard case .bound(let device) = outcome else { return outcome }
            try transaction.send(
                "UPDATE enrolment_code SET used_by_key_id = $1 WHERE mac = $2",
                .text(keyID.rawValue), .bytes(binding.enrolmentCode.bytes))
            try UsedChallenge.insert(use, device: device, in: transaction)
            try transaction.append(AuditEvent(.deviceBound, by: .device, user: binding.user, device: device))
            if binding.policy == .one {
                try Self.replaceOthers(of: binding.user, by: device, at: now, in: transaction)
            }
            return outcome
        }
    }

    /// Replaces the user's other devices. The caller has locked the user's row, so no other device is added at the same
    /// time.
    private static func replaceOthers(
        of user: UserID,
        by successor: DeviceID,
        at now: NumericDate,
        in transaction: PostgresTransaction
    ) throws {
        let others = try transaction.rows(
            """
            SELECT \(DeviceRecord.columns) FROM device
            WHERE user_id = $1 AND revoked_at IS NULL AND id <> $2 FOR NO KEY UPDATE
            """,
            .text(user.rawValue), .text(successor.rawValue)
        ).map(DeviceRecord.init)
        for var other in others.sorted(by: DeviceRecord.areInOrderOfBinding) {
            other.replace(by: successor, at: now)
            try other.update(in: transaction)
            try revokeFamily(of: other.id, in: transaction)
            try endSessions(by: JourneyKeyID(other.id), of: user, keeping: nil, in: transaction)
            try transaction.append(AuditEvent(.deviceReplaced, by: .device, user: user, device: other.id))
            try destroyPinKeys(of: other, by: .device, in: transaction)
        }
    }

    /// Returns the user to which the code of `row` binds the key; nil if the code can no longer be used.
    static func user(enrolledBy row: PostgresRow, deviceKey: KeyID, now: NumericDate) throws -> UserID? {
        let expiresAt = try row.date("expires_at")
        if let usedBy = try row.optionalText("used_by_key_id") {
            guard usedBy == deviceKey.rawValue, now <= expiresAt + StoreRetention.enrolmentCode else { return nil }
        } else {
            guard now <= expiresAt else { return nil }
        }
        return try row.identifier("user_id")
    }

    private static func bindNewKey(
        of binding: NewBinding,
        activeCount: Int?,
        now: NumericDate,
        in transaction: PostgresTransaction
    ) throws -> BindingOutcome {
        guard binding.allowsOneMore(than: activeCount ?? 0) else { return .tooManyDevices }
        let id = DeviceID.random()
        try transaction.send(
            """
            INSERT INTO device
            (id, user_id, client_id, key_id, key, possession_key_id, name, bound_at, algorithm, folded_name)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            .text(id.rawValue), .text(binding.user.rawValue), .text(binding.client.rawValue),
            .text(binding.key.thumbprint.rawValue),
            .text(String(decoding: StrictJSON.encode(binding.key), as: UTF8.self)),
            .text(binding.possessionKey.rawValue), .text(binding.name.rawValue), .integer(now.secondsSince1970),
            .text(binding.algorithm.rawValue), .text(SearchText(binding.name.rawValue).folded))
        return .bound(id)
    }

    /// Binds again a key that is already bound.
    private static func bind(
        _ binding: NewBinding,
        to device: DeviceRecord,
        in transaction: PostgresTransaction
    ) throws -> BindingOutcome {
        guard device.user == binding.user, device.client == binding.client else { return .keyTaken }
        if let stop = device.stop { return .deviceStopped(stop) }
        try transaction.send(
            "UPDATE device SET possession_key_id = $1, name = $2, algorithm = $3 WHERE id = $4",
            .text(binding.possessionKey.rawValue), .text(binding.name.rawValue), .text(binding.algorithm.rawValue),
            .text(device.id.rawValue))
        try DeviceRecord.fold(binding.name, of: device.id, in: transaction)
        // Deletes the login of the previous possession key.
        try transaction.send(
            "DELETE FROM refresh_family WHERE device_id = $1 AND possession_key_id <> $2",
            .text(device.id.rawValue), .text(binding.possessionKey.rawValue))
        return .bound(device.id)
    }
}
