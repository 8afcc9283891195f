import GRDB
import NightlatchRelyingParty

/// The schema of a ``SQLiteStore``, which ``SQLiteMigration`` keeps up to date.
enum SQLiteSchema {
    /// Migrates the schema.
    ///
    /// If several processes start at the same time, each may find a migration missing. One process runs it, and the
    /// others fail because its tables then exist. A migration is one transaction, so a process that failed checks again
    /// whether another one has applied it.
    static func migrate(_ pool: DatabasePool) throws {
        var applied = try pool.read(appliedMigrations)
        // Ends: a further round needs a migration that another process has applied, and the number of migrations is
        // finite.
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

    /// Returns the migrations that were already applied to a file.
    ///
    /// - Throws: `RelyingPartyStoreError` `tooNew` if one of them is unknown to this version.
    static func appliedMigrations(_ database: Database) throws -> Set<String> {
        guard try database.tableExists("grdb_migrations") else { return [] }
        guard try !migrator.hasBeenSuperseded(database) else { throw RelyingPartyStoreError(.tooNew) }
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
