import Foundation
import NightlatchServerProcess

/// The server processes of a benchmark, each with a folder of its own in a temporary one, which goes with them also if the benchmark is
/// interrupted.
struct BenchmarkServers {
    let folders: [String]
    let processes: [ServerProcess]
    private let interruption: Interruption

    /// The command of this build.
    static var ownProgram: URL { Bundle.main.bundleURL.appendingPathComponent("nightlatch") }

    /// Starts none yet.
    ///
    /// - Parameters:
    ///   - names: Those of their folders.
    ///   - programs: The command that each runs; nil if all run that of this build.
    ///   - databases: Their databases; nil if each has a SQLite file in its folder.
    ///   - arguments: What each is told besides. Without limits on the rate, unless it says otherwise: all requests come from one address.
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
            // What is left over lies in a temporary folder.
            try? FileManager.default.removeItem(atPath: root)
        }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    /// Ends the servers and removes their folders.
    func clearAway() { interruption.clearAway() }
}
