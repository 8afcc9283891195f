import Foundation
import Nightlatch
import NightlatchPlatform

extension InstallationProbe {
    /// The marker files in this app's container.
    static func device(service: String) -> Self {
        let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        let marker = folder.appending(path: "device-checks-installation")
        let unbacked = folder.appending(path: "device-checks-not-in-backups")
        return Self(
            filesOutliveApp: filesOutliveApp,
            isFirstStart: { !FileManager.default.fileExists(atPath: marker.path) },
            endFirstStart: {
                let leftovers = KeychainLeftovers(markerPath: marker.path, service: service)
                do throws(StoreError) {
                    _ = try await leftovers.settle(.keep)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            },
            hasUnbackedMarker: { FileManager.default.fileExists(atPath: unbacked.path) },
            writeUnbackedMarker: {
                do {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try Data([1]).write(to: unbacked, options: .atomic)
                    var (file, values) = (unbacked, URLResourceValues())
                    values.isExcludedFromBackup = true
                    try file.setResourceValues(values)
                    return .success(())
                } catch {
                    return .failure(SystemFailure(error))
                }
            })
    }

    private static var filesOutliveApp: Bool {
        #if os(macOS) || targetEnvironment(macCatalyst)
        true
        #else
        false
        #endif
    }
}
