import NightlatchRelyingParty
import NightlatchWire

/// The chain of the audit log that one connection writes.
///
/// Nobody else writes it, so nothing is locked or read for the next entry: where the chain stands is known here. What a transaction
/// appends counts once it is committed. Where it is not known whether it was, the connection is given up, and its chain with it.
struct PostgresAuditChain {
    private let trail = AuditTrail()
    private var last: AuditHead?

    mutating func append(
        _ event: AuditEvent,
        at time: NumericDate,
        in transaction: PostgresTransaction
    ) throws(PostgresFailure) {
        let (row, head) = trail.next(event, at: time, after: last)
        // No user's name is empty.
        try transaction.send(
            """
            INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash)
            VALUES ($1, $2, $3, nullif($4, ''), $5, $6)
            """,
            .text(row.place.chain), .integer(row.place.sequence), .integer(time.secondsSince1970),
            .text(row.user ?? ""), .bytes(row.body), .text(row.hash))
        last = head
    }
}
