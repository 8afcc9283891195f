public import Nightlatch

/// The reason why no keys were migrated, in the vendor's terms.
///
/// ``BindingMigration`` throws ``noLegacyDataFound`` alone.
public enum MigrationError: Error, Sendable {
    case failedToReadLegacyKeys(any Error)
    case failedToSaveKeys(any Error)
    case failedToDeleteLegacyData(any Error)
    /// There are no keys that can be migrated. Bind the device again.
    case noLegacyDataFound
    case alreadyMigrated
    case invalidLegacyData(String)
}

extension MigrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .failedToReadLegacyKeys(let error), .failedToSaveKeys(let error), .failedToDeleteLegacyData(let error):
            ErrorGuidance(of: error)
        case .noLegacyDataFound, .alreadyMigrated: ErrorGuidance(.notBound, .bindAgain)
        case .invalidLegacyData: ErrorGuidance(.damaged, .bindAgain)
        }
    }

    public var cause: (any AdvisedError)? {
        switch self {
        case .failedToReadLegacyKeys(let error), .failedToSaveKeys(let error), .failedToDeleteLegacyData(let error):
            error as? any AdvisedError
        case .noLegacyDataFound, .alreadyMigrated, .invalidLegacyData: nil
        }
    }
}
