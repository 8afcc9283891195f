/// The reason why no keys were migrated, in the vendor's terms.
///
/// ``BindingMigration`` throws only ``noLegacyDataFound``.
public enum MigrationError: Error, Sendable {
    case failedToReadLegacyKeys(any Error)
    case failedToSaveKeys(any Error)
    case failedToDeleteLegacyData(any Error)
    /// There are no keys that can be migrated. Bind the device again.
    case noLegacyDataFound
    case alreadyMigrated
    case invalidLegacyData(String)
}
