import GRDB
import NightlatchRelyingParty

/// The schema of a ``SQLiteStore``, which ``SQLiteMigration`` keeps up to date.
enum SQLiteSchema {
    /// Migrates the schema.
    ///
    /// If several processes start at the same time, each may find a migration missing. One runs it, and the others fail
    /// because its tables then exist. A migration is one transaction, so checking again shows whether another process
    /// was faster.
    static func migrate(_ pool: DatabasePool) throws {
        var applied = try pool.read(appliedMigrations)
        // Ends: each further round needs a migration that another process has applied, and their number is finite.
        while true {
            do {
                return try migrator.migrate(pool)
            } catch {
                let appliedNow = try pool.read(appliedMigrations)
                guard appliedNow != applied else { throw error }
                applied = appliedNow
            }
        }
    }

    /// The migrations that were applied to a file so far.
    ///
    /// - Throws: `StoreError` `tooNew` if one of them is unknown to this version.
    static func appliedMigrations(_ database: Database) throws -> Set<String> {
        guard try database.tableExists("grdb_migrations") else { return [] }
        guard try !migrator.hasBeenSuperseded(database) else { throw StoreError(.tooNew) }
        return try migrator.appliedIdentifiers(database)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in SQLiteMigration.all {
            migrator.registerMigration(migration.name, foreignKeyChecks: .immediate) { database in
                try database.execute(sql: migration.statements)
            }
        }
        return migrator
    }
}
