import Foundation

/// A folder that is removed with the last reference to it. It is not made until something is written into it.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "nightlatch-\(UUID().uuidString)"

    var file: String { path + "/record" }

    /// Makes the folder now.
    func make() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // Best effort: the system cleans its temporary folder too.
        try? FileManager.default.removeItem(atPath: path)
    }
}

extension FileManager {
    /// The permission bits of the item at `path`.
    func mode(_ path: String) throws -> Int {
        (try attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1) & 0o7777
    }
}
