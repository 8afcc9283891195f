import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome {
        let now = clock.now()
        return try await write { database in
            guard now <= use.expiresAt else { return .challengeExpired }
            guard try UsedChallengeRow(use.challenge, in: database) == nil else { return .challengeUsed }
            if let limit = login.pinGuessLimit,
                try !Self.pinHardening(of: login.device, in: database).isEnrolled(guessLimit: limit, at: now)
            {
                guard let device = try Self.device(login.device, of: login.user, in: database) else {
                    return .noSuchDevice
                }
                return device.bar.map(LoginOutcome.deviceBarred) ?? .pinNotEnrolled
            }
            try KeptStatement(
                """
                UPDATE device SET last_login_at = ?, possession_key_id = ?
                WHERE id = ? AND user_id = ? AND revoked_at IS NULL AND blocked_at IS NULL
                """,
                in: database
            ).run(
                .integer(now.secondsSince1970), .text(login.possessionKey.rawValue), .text(login.device.rawValue),
                .text(login.user.rawValue))
            guard database.changesCount == 1 else {
                let device = try Self.device(login.device, of: login.user, in: database)
                return device?.bar.map(LoginOutcome.deviceBarred) ?? .noSuchDevice
            }
            // A device has one family: the new one takes the place of the old.
            try KeptStatement(
                """
                INSERT OR REPLACE INTO refresh_family
                    (id, device_id, possession_key_id, current_hash, expires_at, authenticated_at, user_verification)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                in: database
            ).run(
                .blob(login.refreshFamily.bytes), .text(login.device.rawValue), .text(login.possessionKey.rawValue),
                .blob(login.refreshToken.bytes), .integer((now + login.refreshLife).secondsSince1970),
                .integer(login.authentication.time.secondsSince1970),
                login.authentication.userVerification.map { .text($0.rawValue) } ?? .null)
            try UsedChallengeRow.insert(use, device: login.device, in: database)
            try append(
                AuditEvent(.loggedIn, by: .device, user: login.user, device: login.device), at: now, in: database)
            return .loggedIn
        }
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome {
        let now = clock.now()
        let (family, presented) = (Data(rotation.family.bytes), Data(rotation.presented.bytes))
        return try await write { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT refresh_family.*, device.user_id, device.client_id
                    FROM refresh_family JOIN device ON device.id = refresh_family.device_id
                    WHERE refresh_family.id = ? AND expires_at >= ?
                    """,
                arguments: [family, now.secondsSince1970])
            guard let row, row["possession_key_id"] == rotation.possessionKey.rawValue else { return .refused }
            let client: ClientID = try row.identifier("client_id")
            guard rotation.clients.contains(client) else { return .refused }
            guard presented == row["current_hash"] as Data || presented == row["previous_hash"] as Data? else {
                try database.execute(sql: "DELETE FROM refresh_family WHERE id = ?", arguments: [family])
                try append(
                    AuditEvent(
                        .refreshTokenReused, by: .device, user: try row.identifier("user_id"),
                        device: try row.identifier("device_id")), at: now, in: database)
                return .reused
            }
            try database.execute(
                sql: """
                    UPDATE refresh_family SET previous_hash = ?, current_hash = ?, expires_at = ? WHERE id = ?
                    """,
                arguments: [
                    presented, Data(rotation.successor.bytes), (now + rotation.refreshLife).secondsSince1970, family,
                ])
            return .rotated(
                device: try row.identifier("device_id"), user: try row.identifier("user_id"), client: client,
                authentication: try Authentication(row))
        }
    }

    public func refreshFamily(_ id: RefreshFamilyID) async throws(StoreError) -> LiveRefreshFamily? {
        let now = clock.now()
        return try read { database in
            let family = try Row.fetchOne(
                database, sql: "SELECT * FROM refresh_family WHERE id = ? AND expires_at >= ?",
                arguments: [Data(id.bytes), now.secondsSince1970])
            guard let family else { return nil }
            let device = try Row.fetchOne(
                database, sql: "SELECT \(RegisteredDevice.columns) FROM device WHERE id = ?",
                arguments: [family["device_id"] as String]
            ).map(RegisteredDevice.init)
            guard let device, device.bar == nil else { return nil }
            let hashes = [family["current_hash"] as Data?, family["previous_hash"] as Data?].compactMap(\.self)
            return LiveRefreshFamily(
                device: device, possessionKey: try family.identifier("possession_key_id"),
                authentication: try Authentication(family), usableTokens: Set(hashes.map { RefreshTokenHash($0) }),
                expiresAt: NumericDate(secondsSince1970: family["expires_at"]))
        }
    }

    public func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(StoreError) -> FamilyRevocationOutcome {
        try await write { database in
            let family = Data(id.bytes)
            let key = try String.fetchOne(
                database, sql: "SELECT possession_key_id FROM refresh_family WHERE id = ?", arguments: [family])
            guard let key else { return .gone }
            guard key == possessionKey.rawValue else { return .otherKey }
            try database.execute(sql: "DELETE FROM refresh_family WHERE id = ?", arguments: [family])
            return .gone
        }
    }
}

extension Authentication {
    /// Reads it from a row of a family.
    fileprivate init(_ row: Row) throws(StoreError) {
        var userVerification: UserVerification?
        if let text: String = row["user_verification"] {
            guard let known = UserVerification(rawValue: text) else { throw StoreError(.corrupt) }
            userVerification = known
        }
        self.init(
            time: NumericDate(secondsSince1970: row["authenticated_at"]), userVerification: userVerification)
    }
}
