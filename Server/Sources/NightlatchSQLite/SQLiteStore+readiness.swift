import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    public func checkReadiness() async throws(RelyingPartyStoreError) {
        // A write that is rolled back would detect a locked file, but not a full disk.
        try await write { database, now in
            try database.execute(
                sql: """
                    INSERT INTO readiness (id, checked_at) VALUES (1, ?)
                    ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at
                    """,
                arguments: [now.secondsSince1970])
        }
    }
}
