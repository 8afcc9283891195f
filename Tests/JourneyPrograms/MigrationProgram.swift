import Foundation
import NightlatchJourney
import NightlatchLogger

// Structure of the vendor's guide for keys of the earlier SDK.

func migrate() async -> String {
    do {
        try await BindingMigration.migrate(
            accessGroup: "group.com.example.app", logger: LogManager.standard, cleanupLegacyData: false,
            storageConfig: UserKeyStorageConfig())
        return "migrated"
    } catch MigrationError.noLegacyDataFound {
        return "nothing to migrate"
    } catch {
        return error.localizedDescription
    }
}

func migrateIfNeeded() async -> [Bool] {
    await BindingMigration.resetMigrationState()
    return [
        await BindingMigration.isMigrationNeeded(), await BindingMigration.migrateIfNeeded(cleanupLegacyData: false),
    ]
}
