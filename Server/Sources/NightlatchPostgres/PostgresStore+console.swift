public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            let count = try transaction.rows(
                "INSERT INTO ended_console_session (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                .text(id.rawValue), .integer(expiresAt.secondsSince1970)
            ).affectedCount
            if count == 1 { try transaction.append(AuditEvent(.consoleSignedOut, by: .operator)) }
        }
    }

    public func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(RelyingPartyStoreError) -> Bool {
        try await read { transaction in
            try !transaction.rows("SELECT 1 FROM ended_console_session WHERE id = $1", .text(id.rawValue)).isEmpty
        }
    }
}
