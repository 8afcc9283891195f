public import Nightlatch

/// The marker files of this installation.
public struct InstallationProbe: Sendable {
    /// Whether files outlive the app's removal, as on a Mac.
    public let filesOutliveApp: Bool
    /// Whether the marker file of `KeychainLeftovers` is missing. Changes nothing.
    public let isFirstStart: @Sendable () -> Bool
    /// Writes the marker file of `KeychainLeftovers`, and keeps the items.
    public let endFirstStart: @Sendable () async -> Result<Void, StoreError>
    /// Whether there is a marker file that backups do not contain.
    public let hasUnbackedMarker: @Sendable () -> Bool
    /// Writes the marker file that backups do not contain.
    public let writeUnbackedMarker: @Sendable () -> Result<Void, SystemFailure>

    public init(
        filesOutliveApp: Bool,
        isFirstStart: @escaping @Sendable () -> Bool,
        endFirstStart: @escaping @Sendable () async -> Result<Void, StoreError>,
        hasUnbackedMarker: @escaping @Sendable () -> Bool,
        writeUnbackedMarker: @escaping @Sendable () -> Result<Void, SystemFailure>
    ) {
        self.filesOutliveApp = filesOutliveApp
        self.isFirstStart = isFirstStart
        self.endFirstStart = endFirstStart
        self.hasUnbackedMarker = hasUnbackedMarker
        self.writeUnbackedMarker = writeUnbackedMarker
    }
}
