import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(RelyingPartyStoreError) {
        try await write { database, now in
            try database.execute(
                sql: "INSERT INTO ended_console_session (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [id.rawValue, expiresAt.secondsSince1970])
            guard database.changesCount == 1 else { return }
            try append(AuditEvent(.consoleSignedOut, by: .operator), at: now, in: database)
        }
    }

    public func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(RelyingPartyStoreError) -> Bool {
        try readOnce { database in
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM ended_console_session WHERE id = ?", arguments: [id.rawValue]) != nil
        }
    }
}
