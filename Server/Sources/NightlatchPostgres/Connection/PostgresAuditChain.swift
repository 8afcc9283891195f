import NightlatchRelyingParty
import NightlatchWire

/// The chain of the audit log that one connection writes.
///
/// No other connection writes to the chain, and this value contains the chain's head. An append therefore needs no lock
/// and no read. An entry belongs to the chain once its transaction is committed. If it is unknown whether the
/// transaction was committed, the connection is closed, and its chain ends.
struct PostgresAuditChain {
    private let trail = AuditTrail()
    private var last: AuditHead?

    mutating func append(
        _ event: AuditEvent,
        at time: NumericDate,
        in transaction: PostgresTransaction
    ) throws(PostgresFailure) {
        let (row, head) = trail.next(event, at: time, after: last)
        // A test is for one webhook, whatever it subscribes to.
        let test = event.kind == .webhookTested ? event.webhook : nil
        let receivers =
            test == nil
            ? "SELECT webhook_id, $8, $1, $2, $3, $3 FROM webhook_subscription WHERE kind IN ($9, '\(Webhook.allKinds)')"
            : "SELECT id, $8, $1, $2, $3, $3 FROM webhook WHERE id = $9"
        // An empty value becomes NULL; a valid user id is never empty, and neither is a personal part. The deliveries
        // to webhooks are in the same statement, because another one would cost a login more than the rows.
        try transaction.send(
            """
            WITH entry AS (INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash, personal)
                VALUES ($1, $2, $3, nullif($4, ''), $5, $6, nullif($7, '')))
            INSERT INTO webhook_delivery (webhook_id, order_name, chain, sequence, created_at, due_at) \(receivers)
            """,
            .text(row.place.chain), .integer(row.place.sequence), .integer(time.secondsSince1970),
            .text(row.user ?? ""), .bytes(row.body), .text(row.hash), .bytes(row.personal ?? []),
            .text(event.deliveryOrder(at: row.place)), .text(test?.rawValue ?? event.kind.rawValue))
        last = head
    }
}
