import Foundation
import GRDB
import NightlatchWire

/// A challenge that has served, as ``SQLiteStore`` keeps it.
struct UsedChallengeRow {
    let message: MessageHash
    let device: DeviceID

    /// The row of `challenge`, or nil if the challenge has not served.
    init?(_ challenge: Challenge, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT message_hash, device_id FROM used_challenge WHERE challenge = ?"),
            arguments: [challenge.rawValue])
        guard let row else { return nil }
        message = MessageHash(row[0] as Data)
        device = try row.identifier(1)
    }

    static func insert(_ use: ChallengeUse, device: DeviceID, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO used_challenge (challenge, message_hash, device_id, expires_at) VALUES (?, ?, ?, ?)"
        ).execute(
            arguments: [
                use.challenge.rawValue, Data(use.message.bytes), device.rawValue, use.expiresAt.secondsSince1970,
            ])
    }
}
