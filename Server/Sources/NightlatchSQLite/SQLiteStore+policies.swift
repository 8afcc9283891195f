import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func policies(
        of client: ClientID?, and user: UserID?
    ) async throws(RelyingPartyStoreError) -> [StoredPolicy] {
        try readOnce { try Self.policies(of: client, and: user, in: $0) }
    }

    public func setPolicy(
        _ policy: Policy, of subject: PolicySubject, replacing revision: PolicyRevision?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> PolicyChangeOutcome {
        try await write { database, now in
            if case .user(let user) = subject {
                let isKnown = try KeptStatement("SELECT 1 FROM user WHERE id = ?", in: database)
                    .first(.text(user.rawValue)) { _ in true }
                guard isKnown == true else { return .noSuchUser }
            }
            let newest = try KeptStatement("SELECT coalesce(max(revision), 0) FROM policy", in: database)
                .first { try $0.integer(0) }
            let change = PolicyChange(
                setting: policy, of: subject, replacing: revision,
                current: try Self.policies(of: subject.client, and: subject.user, in: database).first,
                newest: newest.flatMap(PolicyRevision.init(rawValue:)) ?? .first, by: (actor, now))
            if case .stored(let stored?) = change.outcome, let event = change.event {
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO policy (kind, subject, revision, changed_at, changed_by, document)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        subject.kind, subject.id, stored.revision.rawValue, stored.changedAt.secondsSince1970,
                        stored.changedBy.rawValue, stored.document,
                    ])
                try append(event, at: now, in: database)
            }
            return change.outcome
        }
    }

    private static func policies(
        of client: ClientID?, and user: UserID?, in database: Database
    ) throws -> [StoredPolicy] {
        try KeptStatement(
            """
            SELECT kind, subject, revision, changed_at, changed_by, document FROM policy
            WHERE kind = 'app' AND subject = ? OR kind = 'user' AND subject = ?
            """,
            in: database
        ).all(.text(or: client?.rawValue), .text(or: user?.rawValue)) { row in
            try StoredPolicy(
                kind: row.text(0), id: row.text(1), policy: row.json(5), revision: row.integer(2),
                change: (by: row.text(4), at: row.date(3)))
        }
    }
}

extension KeptStatement.Value {
    /// A text, or null for nil.
    fileprivate static func text(or text: String?) -> Self { text.map { .text($0) } ?? .null }
}
