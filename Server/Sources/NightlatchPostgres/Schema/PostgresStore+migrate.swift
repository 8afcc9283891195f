import NightlatchRelyingParty

extension PostgresStore {
    /// Returns whether there is nothing to migrate. The role needs only the right to read.
    func isUpToDate(schema: String) async throws(RelyingPartyStoreError) -> Bool {
        try await read(measuredAs: nil) { transaction in
            try Self.missingMigrations(in: transaction, schema: schema).isEmpty
        }
    }

    /// Migrates the schema to this version, in one transaction. Processes that start at the same time take turns; all
    /// but the first have nothing to do.
    func migrate(schema: String) async throws(RelyingPartyStoreError) {
        try await write(measuredAs: nil) { transaction in
            // Held until the transaction ends.
            try transaction.send(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text("nightlatch schema " + schema))
            try transaction.send("CREATE SCHEMA IF NOT EXISTS \"\(schema)\"")
            try transaction.send(
                """
                CREATE TABLE IF NOT EXISTS schema_migration (
                    name text COLLATE "C" PRIMARY KEY,
                    applied_at timestamptz NOT NULL DEFAULT now()
                )
                """)
            for migration in try Self.missingMigrations(in: transaction, schema: schema) {
                for statement in migration.statements { try transaction.send(statement) }
                try transaction.send("INSERT INTO schema_migration (name) VALUES ($1)", .text(migration.name))
            }
        }
    }

    /// Returns the migrations that were not applied yet.
    ///
    /// - Throws: `RelyingPartyStoreError` `tooNew` if a migration was applied that this version does not know.
    private static func missingMigrations(
        in transaction: PostgresTransaction,
        schema: String
    ) throws -> [PostgresMigration] {
        let isMade = try transaction.rows(
            "SELECT 1 WHERE to_regclass($1) IS NOT NULL", .text("\"\(schema)\".schema_migration"))
        guard !isMade.isEmpty else { return PostgresMigration.all }
        let applied = try Set(
            transaction.rows("SELECT name FROM schema_migration").map { row throws(RelyingPartyStoreError) in
                try row.text("name")
            }
        )
        guard applied.isSubset(of: PostgresMigration.all.map(\.name)) else { throw RelyingPartyStoreError(.tooNew) }
        return PostgresMigration.all.filter { !applied.contains($0.name) }
    }
}
