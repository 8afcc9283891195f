import GRDB
import NightlatchPostgresCluster
import Testing

// Holds a server in the middle of a write of a two-party PIN, so that a test can kill it there. The database itself
// holds the write, with a trigger that never ends.
extension ServerFleet {
    /// Lets `passing` writes of two-party PINs pass. The next write begins and never ends.
    func holdPinWrites(after passing: Int) async throws {
        guard let cluster else {
            return try await sqlite().write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE pin_hold (passing INTEGER NOT NULL);
                        INSERT INTO pin_hold VALUES (\(passing));
                        CREATE VIEW endless (i) AS
                            WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
                        """)
                for event in ["INSERT", "UPDATE"] {
                    try database.execute(
                        sql: """
                            CREATE TRIGGER pin_hold_\(event) AFTER \(event) ON pin_hardening BEGIN
                                UPDATE pin_hold SET passing =
                                    CASE WHEN passing > 0 THEN passing - 1 ELSE (SELECT max(i) FROM endless) END;
                            END
                            """)
                }
            }
        }
        // A sequence also counts uncommitted writes. The servers' role may not use it, but the function's owner may.
        try await cluster.query(
            """
            CREATE SEQUENCE pin_hold MINVALUE 0 START 0;
            CREATE FUNCTION pin_hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
            BEGIN
                IF nextval('public.pin_hold') >= \(passing) THEN PERFORM pg_sleep(3600); END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pin_hold AFTER INSERT OR UPDATE ON nightlatch.pin_hardening
                FOR EACH ROW EXECUTE FUNCTION public.pin_hold();
            """, database: database)
    }

    /// Returns when a server is at the held write: the writes before it are committed, and the write lock is taken.
    func waitForHeldPinWrite() async throws {
        while try await !isPinWriteHeld() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private func isPinWriteHeld() async throws -> Bool {
        guard let cluster else {
            let passing = try await sqlite().read { try Int.fetchOne($0, sql: "SELECT passing FROM pin_hold") }
            guard passing == 0 else { return false }
            do {
                // Other writes, for example the server's deletion of expired rows, end within this second.
                try await sqlite(waiting: 1).writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) { .rollback }
                }
                return false
            } catch DatabaseError.SQLITE_BUSY {
                return true
            }
        }
        let count = try await cluster.query("SELECT count(*) \(Self.held)", database: database)
        return count == "1"
    }

    /// The connections that the trigger holds.
    private static let held =
        "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"

    /// Undoes ``holdPinWrites(after:)`` after the held server was killed. The server's open transaction is rolled back.
    func releasePinWrites() async throws {
        guard let cluster else {
            return try await sqlite().write { database in
                try database.execute(
                    sql: """
                        DROP TRIGGER pin_hold_INSERT; DROP TRIGGER pin_hold_UPDATE; DROP VIEW endless; DROP TABLE pin_hold
                        """)
            }
        }
        try await cluster.query(
            """
            SELECT pg_terminate_backend(pid) \(Self.held);
            DROP TRIGGER pin_hold ON nightlatch.pin_hardening; DROP FUNCTION pin_hold(); DROP SEQUENCE pin_hold;
            """, database: database)
    }

    /// Kills a server without warning, and starts it again on the same port once `body` has returned.
    func replace(_ number: Int, afterwards body: () async throws -> Void = {}) async throws {
        try await kill(number)
        try await body()
        try await restart(number)
    }
}
