import Foundation
import NightlatchWire
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The command `nightlatch serve` that was built beside this program, in a process of its own over a new SQLite database.
struct ServerUnderLoad: Sendable {
    let issuer: Issuer
    let folder: String
    let processID: pid_t

    /// Why no server could be measured.
    struct NotStarted: Error {
        let line: String
    }

    static func run<Value: Sendable>(_ body: (ServerUnderLoad) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer {
            // What is left over lies in a temporary folder.
            try? FileManager.default.removeItem(atPath: folder)
        }
        let program = Bundle.main.bundleURL.appendingPathComponent("nightlatch").path
        return try await Subprocess.run(
            .path(FilePath(program)),
            arguments: [
                "serve", "--listen", "127.0.0.1:0", "--database", "sqlite:\(folder)/nightlatch.sqlite",
                "--master-key-file", folder + "/master.key", "--backend-key-file", folder + "/backend.key",
            ],
            input: .none, output: .sequence, error: .discarded
        ) { execution in
            var greeting = ""
            for try await line in execution.standardOutput.strings() {
                greeting = line
                break
            }
            let url = greeting.trimmingCharacters(in: .whitespacesAndNewlines).replacing("listening on ", with: "")
            guard let issuer = Issuer(rawValue: url) else { throw NotStarted(line: greeting) }
            let value = try await body(
                ServerUnderLoad(issuer: issuer, folder: folder, processID: execution.processIdentifier.value))
            try execution.send(signal: .terminate)
            return value
        }.closureResult
    }
}
