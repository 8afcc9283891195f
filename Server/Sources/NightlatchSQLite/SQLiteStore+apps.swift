import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func apps() async throws(RelyingPartyStoreError) -> [StoredApp] {
        try readOnce { database in
            try KeptStatement("SELECT id, revision, document FROM app ORDER BY id", in: database)
                .all(read: StoredApp.init)
        }
    }

    public func putApp(
        _ app: App, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> AppChangeOutcome {
        try await write { database, now in
            let current = try KeptStatement("SELECT id, revision, document FROM app WHERE id = ?", in: database)
                .first(.text(app.id.rawValue), read: StoredApp.init)
            let count = try KeptStatement("SELECT count(*) FROM app", in: database).first { try $0.integer(0) } ?? 0
            let outcome = AppChangeOutcome(putting: app, replacing: revision, current: current, count: count)
            if case .stored(let new) = outcome, new != current {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO app (id, revision, document) VALUES (?, ?, ?)",
                    arguments: [app.id.rawValue, new.revision, new.document])
                try append(AuditEvent(put: new, by: actor), at: now, in: database)
            }
            return outcome
        }
    }

    public func removeApp(_ id: ClientID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await write { database, now in
            try database.execute(sql: "DELETE FROM app WHERE id = ?", arguments: [id.rawValue])
            guard database.changesCount > 0 else { return false }
            try Self.endGrants(of: id, in: database)
            try append(AuditEvent(removedApp: id, by: actor), at: now, in: database)
            return true
        }
    }
}

extension StoredApp {
    fileprivate init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(app: try row.json(2), revision: try row.integer(1))
        guard app.id == (try row.identifier(0)) else { throw RelyingPartyStoreError(.corrupt) }
    }
}
