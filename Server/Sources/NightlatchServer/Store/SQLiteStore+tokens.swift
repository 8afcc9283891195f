import Foundation
import GRDB
import NightlatchWire

extension SQLiteStore {
    public func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome {
        let now = clock.now()
        return try await write { database in
            try Self.purge(database, now: now)
            guard now <= use.expiresAt else { return .challengeExpired }
            guard try UsedChallengeRow(use.challenge, in: database) == nil else { return .challengeUsed }
            guard let device = try Self.device(login.device, of: login.user, in: database) else {
                return .noSuchDevice
            }
            guard device.revokedAt == nil else { return .deviceRevoked }
            try database.execute(
                sql: "UPDATE device SET last_login_at = ?, possession_key_id = ? WHERE id = ?",
                arguments: [now.secondsSince1970, login.possessionKey.rawValue, device.id.rawValue])
            try database.execute(
                sql: """
                    INSERT INTO refresh_family (device_id, possession_key_id, current_hash, expires_at)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    device.id.rawValue, login.possessionKey.rawValue, Data(login.refreshToken.bytes),
                    (now + login.refreshLife).secondsSince1970,
                ])
            try Self.add(login.refreshToken, to: database.lastInsertedRowID, now: now, in: database)
            try UsedChallengeRow.insert(use, device: device.id, in: database)
            return .loggedIn
        }
    }

    public func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome {
        let now = clock.now()
        return try await write { database in
            try Self.purge(database, now: now)
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT refresh_family.*, device.user_id, device.client_id
                    FROM refresh_token
                    JOIN refresh_family ON refresh_family.id = refresh_token.family_id
                    JOIN device ON device.id = refresh_family.device_id
                    WHERE refresh_token.hash = ?
                    """,
                arguments: [Data(rotation.presented.bytes)])
            guard let row, row["possession_key_id"] == rotation.possessionKey.rawValue else { return .refused }
            let family: Int64 = row["id"]
            let presented = Data(rotation.presented.bytes)
            guard presented == row["current_hash"] as Data || presented == row["previous_hash"] as Data? else {
                try database.execute(sql: "DELETE FROM refresh_family WHERE id = ?", arguments: [family])
                return .reused
            }
            try database.execute(
                sql: """
                    UPDATE refresh_family SET previous_hash = ?, current_hash = ?, expires_at = ? WHERE id = ?
                    """,
                arguments: [
                    presented, Data(rotation.successor.bytes), (now + rotation.refreshLife).secondsSince1970, family,
                ])
            try Self.add(rotation.successor, to: family, now: now, in: database)
            return .rotated(
                device: try row.identifier("device_id"), user: try row.identifier("user_id"),
                client: try row.identifier("client_id"))
        }
    }

    private static func add(
        _ token: RefreshTokenHash,
        to family: Int64,
        now: NumericDate,
        in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO refresh_token (hash, family_id, issued_at) VALUES (?, ?, ?)",
            arguments: [Data(token.bytes), family, now.secondsSince1970])
    }
}
