public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func apps() async throws(RelyingPartyStoreError) -> [StoredApp] {
        try await read { transaction in
            try transaction.rows("SELECT id, revision, document FROM app ORDER BY id").map(StoredApp.init)
        }
    }

    public func putApp(
        _ app: App, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> AppChangeOutcome {
        try await write { transaction in
            // Locks the table, because the limit applies to the number of all rows. Readers are not blocked.
            try transaction.send("LOCK TABLE app IN SHARE ROW EXCLUSIVE MODE")
            let rows = try transaction.send(
                "SELECT id, revision, document FROM app WHERE id = $1", .text(app.id.rawValue))
            let counts = try transaction.send("SELECT count(*) AS count FROM app")
            let current = try rows.rows().first.map(StoredApp.init)
            let count = try counts.rows().first?.integer("count") ?? 0
            let outcome = AppChangeOutcome(putting: app, replacing: revision, current: current, count: count)
            if case .stored(let new) = outcome, new != current {
                try transaction.send(
                    """
                    INSERT INTO app (id, revision, document) VALUES ($1, $2, $3)
                    ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, document = excluded.document
                    """,
                    .text(app.id.rawValue), .integer(new.revision), .text(new.document))
                try transaction.append(AuditEvent(put: new, by: actor))
            }
            return outcome
        }
    }

    public func removeApp(_ id: ClientID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            let removed = try transaction.rows("DELETE FROM app WHERE id = $1", .text(id.rawValue))
            guard removed.affectedCount > 0 else { return false }
            try Self.endGrants(of: id, in: transaction)
            try transaction.append(AuditEvent(removedApp: id, by: actor))
            return true
        }
    }
}

extension StoredApp {
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(app: try row.json("document"), revision: try row.integer("revision"))
        guard app.id == (try row.identifier("id")) else { throw RelyingPartyStoreError(.corrupt) }
    }
}
