import Foundation
import NightlatchServerProcess

/// The server processes of a benchmark, each with its own folder in a temporary folder. The processes are ended and the
/// folders removed even if the benchmark is interrupted.
struct BenchmarkServers {
    let folders: [String]
    let processes: [ServerProcess]
    private let interruption: Interruption

    /// The command `nightlatch` of this build.
    static var ownProgram: URL { Bundle.main.bundleURL.appendingPathComponent("nightlatch") }

    /// Creates the folders. Starts no server.
    ///
    /// - Parameters:
    ///   - names: The names of the folders.
    ///   - programs: The command of each server; nil for the command of this build.
    ///   - databases: The databases; nil for a SQLite file in each folder.
    ///   - arguments: Additional arguments. By default they turn off the rate limits, because all requests come from
    ///     one address.
    init(
        _ names: [String],
        programs: [URL]? = nil,
        databases: [String]? = nil,
        arguments: [String] = ["--address-rate", "0", "--account-rate", "0"]
    ) throws {
        let root = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString)"
        let folders = names.map { "\(root)/\($0)" }
        let processes = folders.enumerated().map { number, folder in
            ServerProcess(
                program: programs?[number] ?? Self.ownProgram, folder: folder,
                database: databases?[number],
                arguments: arguments)
        }
        self.folders = folders
        self.processes = processes
        interruption = Interruption {
            for process in processes { process.retire() }
            // If this fails, the files stay in a temporary folder.
            try? FileManager.default.removeItem(atPath: root)
        }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    /// Ends the servers and removes their folders.
    func clearAway() { interruption.clearAway() }
}
