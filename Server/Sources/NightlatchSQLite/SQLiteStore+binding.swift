import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(RelyingPartyStoreError) -> NumericDate? {
        try await write { database, now in
            if let key = code.masterKey { try Self.masterKeyState(in: database).require(key) }
            if let password = code.password {
                guard try Self.password(of: code.user, in: database)?.0 == password else { return nil }
            }
            let expiresAt = now + code.life
            try Self.addUser(code.user, at: now, in: database)
            try database.execute(
                sql: "INSERT INTO enrolment_code (mac, user_id, expires_at) VALUES (?, ?, ?)",
                arguments: [Data(code.mac.bytes), code.user.rawValue, expiresAt.secondsSince1970])
            try append(AuditEvent(.enrolmentCodeCreated, by: code.actor, user: code.user), at: now, in: database)
            return expiresAt
        }
    }

    public func user(
        enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID
    ) async throws(RelyingPartyStoreError) -> UserID? {
        let now = clock.now()
        return try readOnce { database in
            try Self.user(enrolledBy: code, deviceKey: deviceKey, now: now, in: database)
        }
    }

    public func bind(
        _ binding: NewBinding, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> BindingOutcome {
        return try await write { database, now in
            guard now <= use.expiresAt else { return .challengeExpired }
            if let used = try UsedChallengeRow(use, in: database) {
                guard used.message == use.message else { return .challengeUsed }
                let stop = try Self.device(used.device, of: binding.user, in: database)?.stop
                return stop.map(BindingOutcome.deviceStopped) ?? .bound(used.device)
            }
            let keyID = binding.key.thumbprint
            let user = try Self.user(enrolledBy: binding.enrolmentCode, deviceKey: keyID, now: now, in: database)
            guard user == binding.user else { return .codeRefused }
            let outcome = try Self.bindKey(of: binding, now: now, in: database)
            guard case .bound(let device) = outcome else { return outcome }
            try database.execute(
                sql: "UPDATE enrolment_code SET used_by_key_id = ? WHERE mac = ?",
                arguments: [keyID.rawValue, Data(binding.enrolmentCode.bytes)])
            try UsedChallengeRow.insert(use, device: device, in: database)
            try append(AuditEvent(.deviceBound, by: .device, user: binding.user, device: device), at: now, in: database)
            if binding.policy == .one { try replaceOthers(of: binding.user, by: device, at: now, in: database) }
            return outcome
        }
    }

    private func replaceOthers(
        of user: UserID,
        by successor: DeviceID,
        at now: NumericDate,
        in database: Database
    ) throws {
        let others = try KeptStatement(
            "SELECT \(DeviceRecord.columns) FROM device WHERE user_id = ? AND revoked_at IS NULL AND id <> ?",
            in: database
        ).all(.text(user.rawValue), .text(successor.rawValue), read: DeviceRecord.init)
        for var other in others.sorted(by: DeviceRecord.areInOrderOfBinding) {
            other.replace(by: successor, at: now)
            try other.update(in: database)
            try Self.revokeFamily(of: other.id, in: database)
            try Self.endSessions(by: JourneyKeyID(other.id), of: user, keeping: nil, in: database)
            try append(AuditEvent(.deviceReplaced, by: .device, user: user, device: other.id), at: now, in: database)
            try destroyPinKeys(of: other, by: .device, at: now, in: database)
        }
    }

    static func user(
        enrolledBy code: EnrolmentCodeMAC,
        deviceKey: KeyID,
        now: NumericDate,
        in database: Database
    ) throws -> UserID? {
        try KeptStatement(
            """
            SELECT user_id FROM enrolment_code
            WHERE mac = ? AND (used_by_key_id = ? AND expires_at >= ? OR used_by_key_id IS NULL AND expires_at >= ?)
            """, in: database
        ).first(
            .blob(code.bytes), .text(deviceKey.rawValue),
            .integer((now + (.zero - StoreRetention.enrolmentCode)).secondsSince1970), .integer(now.secondsSince1970)
        ) { row in try row.identifier(0) }
    }

    private static func bindKey(
        of binding: NewBinding,
        now: NumericDate,
        in database: Database
    ) throws -> BindingOutcome {
        let keyID = binding.key.thumbprint.rawValue
        let known = try KeptStatement("SELECT \(DeviceRecord.columns) FROM device WHERE key_id = ?", in: database)
            .first(.text(keyID), read: DeviceRecord.init)
        if let known { return try bind(binding, to: known, in: database) }
        let activeCount = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM device WHERE user_id = ? AND revoked_at IS NULL",
            arguments: [binding.user.rawValue])
        guard binding.allowsOneMore(than: activeCount ?? 0) else { return .tooManyDevices }
        let id = DeviceID.random()
        try database.execute(
            sql: """
                INSERT INTO device
                    (id, user_id, client_id, key_id, key, algorithm, possession_key_id, name, folded_name, bound_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, binding.user.rawValue, binding.client.rawValue, keyID,
                String(decoding: StrictJSON.encode(binding.key), as: UTF8.self), binding.algorithm.rawValue,
                binding.possessionKey.rawValue,
                binding.name.rawValue, SearchText(binding.name.rawValue).folded, now.secondsSince1970,
            ])
        return .bound(id)
    }

    /// Binds again a key that is already bound.
    private static func bind(
        _ binding: NewBinding,
        to device: DeviceRecord,
        in database: Database
    ) throws -> BindingOutcome {
        guard device.user == binding.user, device.client == binding.client else { return .keyTaken }
        if let stop = device.stop { return .deviceStopped(stop) }
        // Tokens of the previous possession key are revoked.
        if device.possessionKey != binding.possessionKey { try revokeFamily(of: device.id, in: database) }
        try database.execute(
            sql: "UPDATE device SET algorithm = ?, possession_key_id = ?, name = ? WHERE id = ?",
            arguments: [
                binding.algorithm.rawValue, binding.possessionKey.rawValue, binding.name.rawValue, device.id.rawValue,
            ])
        try DeviceRecord.fold(binding.name, of: device.id, in: database)
        return .bound(device.id)
    }
}
