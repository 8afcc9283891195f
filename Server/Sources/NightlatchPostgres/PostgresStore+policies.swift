public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func policies(
        of client: ClientID?, and user: UserID?
    ) async throws(RelyingPartyStoreError) -> [StoredPolicy] {
        try await shareRead { transaction in
            let answer = try Self.askPolicies(of: client, and: user, in: transaction)
            return { try answer.rows().map(StoredPolicy.init) }
        }
    }

    public func setPolicy(
        _ policy: Policy, of subject: PolicySubject, replacing revision: PolicyRevision?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> PolicyChangeOutcome {
        try await write { transaction in
            // Locks the table, because no two policies may get the same revision. Readers are not blocked.
            try transaction.send(Self.lockPolicies)
            if case .user(let user) = subject {
                let known = try transaction.send(Self.lockUser, .text(user.rawValue))
                guard try !known.rows().isEmpty else { return .noSuchUser }
            }
            let newest = try transaction.send("SELECT coalesce(max(revision), 0) AS newest FROM policy")
            let rows = try Self.askPolicies(of: subject.client, and: subject.user, in: transaction)
            let change = PolicyChange(
                setting: policy, of: subject, replacing: revision,
                current: try rows.rows().first.map(StoredPolicy.init),
                newest: try newest.rows().first.flatMap { PolicyRevision(rawValue: try $0.integer("newest")) }
                    ?? .first,
                by: (actor, try transaction.now()))
            if case .stored(let stored?) = change.outcome, let event = change.event {
                try transaction.send(
                    """
                    INSERT INTO policy (kind, subject, revision, changed_at, changed_by, document)
                    VALUES ($1, $2, $3, $4, $5, $6)
                    ON CONFLICT (kind, subject) DO UPDATE SET revision = excluded.revision,
                    changed_at = excluded.changed_at, changed_by = excluded.changed_by, document = excluded.document
                    """,
                    .text(subject.kind), .text(subject.id), .integer(stored.revision.rawValue),
                    .integer(stored.changedAt.secondsSince1970), .text(stored.changedBy.rawValue),
                    .text(stored.document))
                try transaction.append(event)
            }
            return change.outcome
        }
    }

    static let lockPolicies = "LOCK TABLE policy IN SHARE ROW EXCLUSIVE MODE"

    private static func askPolicies(
        of client: ClientID?, and user: UserID?, in transaction: PostgresTransaction
    ) throws -> PostgresAnswer {
        try transaction.send(
            """
            SELECT kind, subject, revision, changed_at, changed_by, document FROM policy
            WHERE kind = 'app' AND subject = $1 OR kind = 'user' AND subject = $2
            """,
            .text(client?.rawValue), .text(user?.rawValue))
    }
}

extension StoredPolicy {
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        try self.init(
            kind: row.text("kind"), id: row.text("subject"), policy: row.json("document"),
            revision: row.integer("revision"), change: (by: row.text("changed_by"), at: row.date("changed_at")))
    }
}
