import Foundation

/// A folder that is removed with its last owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/nightlatch-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // If this fails, the files stay in a temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The folder of a device's vault and keys.
    var home: String { path + "/device" }

    var vault: String { home + "/vault" }

    /// Runs a client command on this folder's device, with PINs on standard input.
    func device(_ arguments: String..., pins: [String]) async throws -> Outcome {
        try await Nightlatch.run(arguments + ["--home", home, "--pin-fd", "0"], pins: pins)
    }

    func vaultBytes() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: vault))
    }
}
