import NightlatchRelyingParty
import NightlatchWire

/// A used challenge, as ``PostgresStore`` stores it.
struct UsedChallenge {
    let message: MessageHash
    let device: DeviceID

    /// The query for the row of a challenge. The challenge is its only parameter.
    static let query = "SELECT message_hash, device_id FROM used_challenge WHERE challenge = $1"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        message = MessageHash(try row.bytes("message_hash"))
        device = try row.identifier("device_id")
    }

    /// Inserts a used challenge. If two transactions use one challenge at the same time, one fails here. That
    /// transaction runs again and finds the row.
    static func insert(
        _ use: ChallengeUse,
        device: DeviceID,
        in transaction: PostgresTransaction
    ) throws(PostgresFailure) {
        try transaction.send(
            "INSERT INTO used_challenge (challenge, message_hash, device_id, expires_at) VALUES ($1, $2, $3, $4)",
            .text(use.challenge.rawValue), .bytes(use.message.bytes), .text(device.rawValue),
            .integer(use.expiresAt.secondsSince1970))
    }
}
