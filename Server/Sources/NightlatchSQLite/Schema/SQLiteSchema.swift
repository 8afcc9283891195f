import GRDB
import NightlatchRelyingParty

/// The tables of a ``SQLiteStore``, brought up to date by ``SQLiteMigration``.
enum SQLiteSchema {
    /// Brings the schema up to date.
    ///
    /// Processes that start at once may each find a migration missing. One runs it, and the others fail on what is there by
    /// then; a migration is one transaction, so looking again shows who was faster.
    static func migrate(_ pool: DatabasePool) throws {
        var applied = try pool.read(appliedMigrations)
        // Ends: each round more needs a migration that another process has applied, and there are finitely many.
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

    /// What was applied to a file so far.
    ///
    /// - Throws: `StoreError` `tooNew` if that is more than this version knows.
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
