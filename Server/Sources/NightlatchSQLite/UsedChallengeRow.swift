import GRDB
import NightlatchRelyingParty
import NightlatchWire

/// A used challenge, as ``SQLiteStore`` stores it.
struct UsedChallengeRow {
    let message: MessageHash
    let device: DeviceID

    /// Reads the row of the challenge of `use`; returns nil if it was not used.
    init?(_ use: ChallengeUse, in database: Database) throws {
        let row = try KeptStatement(
            "SELECT message_hash, device_id FROM used_challenge WHERE expires_at = ? AND challenge = ?", in: database
        ).first(.integer(use.expiresAt.secondsSince1970), .text(use.challenge.rawValue)) { row in
            (message: MessageHash(try row.blob(0)), device: try row.identifier(1) as DeviceID)
        }
        guard let row else { return nil }
        message = row.message
        device = row.device
    }

    static func insert(_ use: ChallengeUse, device: DeviceID, in database: Database) throws {
        try KeptStatement(
            "INSERT INTO used_challenge (challenge, message_hash, device_id, expires_at) VALUES (?, ?, ?, ?)",
            in: database
        ).run(
            .text(use.challenge.rawValue), .blob(use.message.bytes), .text(device.rawValue),
            .integer(use.expiresAt.secondsSince1970))
    }
}
