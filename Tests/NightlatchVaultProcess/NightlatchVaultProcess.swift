import Foundation

/// A process that uses a vault in a file store as its first argument says; its second is the vault's path.
@main
struct NightlatchVaultProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let work = arguments.first.flatMap(VaultProcessWork.init), let path = arguments.dropFirst().first else {
            throw CocoaError(.featureUnsupported)
        }
        switch work {
        case .lookIntoMemory: try await MemoryInspection.run(path: path)
        }
    }
}

/// What the process is started for.
package enum VaultProcessWork: String, Sendable {
    /// Carries out the ``MemoryInspection`` on its standard input, and prints its ``MemoryFindings``.
    case lookIntoMemory = "look-into-memory"
}
