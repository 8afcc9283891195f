import NightlatchPostgresCluster
import Testing

/// Makes verbs wait when they append an audit entry about a user, while the gate is locked. Their transactions are then
/// unfinished.
struct AuditGate {
    private let cluster: PostgresCluster
    private let schema: String

    /// Adds the gate to the schema of a store whose connections have the name of the schema.
    init(in schema: String, of cluster: PostgresCluster) async throws {
        self.cluster = cluster
        self.schema = schema
        try await cluster.query(
            """
            SET search_path = \(schema);
            CREATE TABLE gate (id bigint);
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM FROM \(schema).gate; RETURN NEW; END $$;
            CREATE TRIGGER wait AFTER INSERT ON audit_entry FOR EACH ROW WHEN (NEW.user_id IS NOT NULL)
            EXECUTE FUNCTION wait();
            GRANT SELECT ON gate TO nightlatch
            """)
    }

    /// Calls `body` while the gate is locked.
    func whileLocked<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await cluster.whileLocking("\(schema).gate", body)
    }

    /// Waits until `count` transactions of the store wait for a lock.
    func waitUntilBlocked(_ count: Int) async throws {
        let blocked = """
            SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)' AND wait_event_type = 'Lock'
            """
        var questions = 0
        while try await cluster.query(blocked) != "\(count)", questions < 500 {
            questions += 1
            // The tasks may need this thread.
            await Task.yield()
        }
        #expect(questions < 500, "\(count) transactions do not wait")
    }
}
