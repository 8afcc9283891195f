public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    public func checkReadiness() async throws(RelyingPartyStoreError) {
        // A write that is rolled back would not detect a full disk.
        try await write { transaction in
            let now = try transaction.now()
            try transaction.send(
                """
                INSERT INTO readiness (id, checked_at) VALUES (1, $1)
                ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at
                """,
                .integer(now.secondsSince1970))
        }
    }
}
