/// The migration of keys that an earlier SDK of the vendor has bound. There is none: nothing is ever migrated.
///
/// The functions exist so that programs compile, and always say that there is nothing to migrate. This module neither
/// reads nor removes keys of the vendor's SDKs, because no part of them can be used here:
///
/// | part of a key | why it is not carried over |
/// |---|---|
/// | private key with another protection | The way in which a key is protected is fixed when it is made. |
/// | private key with `APPLICATION_PIN` | The PIN itself unlocks it, and only the user knows the PIN. |
/// | binding at the server | It belongs to the old public key. Only a binding gives the server a new one. |
/// | list of users and keys | Without the private keys, nothing in the list can sign. |
///
/// Bind the device again instead. A journey leads there when the device reports that it has no key
/// (``DeviceBindingStatus/clientNotRegistered``).
public enum BindingMigration {
    /// Always throws ``MigrationError/noLegacyDataFound``.
    public static func migrate(
        accessGroup: String? = nil,
        logger: (any JourneyLogger)? = nil,
        cleanupLegacyData: Bool = true,
        storageConfig: UserKeyStorageConfig? = nil
    ) async throws {
        logger?.i("keys of the vendor's SDK are not migrated; the device is bound again")
        throw MigrationError.noLegacyDataFound
    }

    /// Always returns false.
    public static func isMigrationNeeded(accessGroup: String? = nil, logger: (any JourneyLogger)? = nil) async -> Bool {
        false
    }

    /// Always returns false: nothing was migrated.
    public static func migrateIfNeeded(
        accessGroup: String? = nil,
        logger: (any JourneyLogger)? = nil,
        cleanupLegacyData: Bool = true
    ) async -> Bool {
        false
    }

    /// Does nothing: there is no state of a migration.
    public static func resetMigrationState() async {}
}
