public import Nightlatch

extension MigrationError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .failedToReadLegacyKeys(let error), .failedToSaveKeys(let error), .failedToDeleteLegacyData(let error):
            .caused(by: error)
        case .noLegacyDataFound, .alreadyMigrated: ErrorGuidance(.notBound, .bindAgain)
        case .invalidLegacyData: ErrorGuidance(.damaged, .bindAgain)
        }
    }
}
