public import Nightlatch

/// The marker files of this installation.
public struct InstallationProbe: Sendable {
    /// Whether files outlive the app's removal, as on a Mac.
    public let filesOutliveApp: Bool
    /// Whether the marker of `KeychainLeftovers` was missing. It exists after the call. The items are kept.
    public let isFirstStart: @Sendable () async -> Result<Bool, StoreError>
    /// Whether there is a marker file that backups do not contain.
    public let hasUnbackedMarker: @Sendable () -> Bool
    /// Writes the marker file that backups do not contain.
    public let writeUnbackedMarker: @Sendable () -> Result<Void, SystemFailure>

    public init(
        filesOutliveApp: Bool,
        isFirstStart: @escaping @Sendable () async -> Result<Bool, StoreError>,
        hasUnbackedMarker: @escaping @Sendable () -> Bool,
        writeUnbackedMarker: @escaping @Sendable () -> Result<Void, SystemFailure>
    ) {
        self.filesOutliveApp = filesOutliveApp
        self.isFirstStart = isFirstStart
        self.hasUnbackedMarker = hasUnbackedMarker
        self.writeUnbackedMarker = writeUnbackedMarker
    }
}
