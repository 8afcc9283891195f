import Foundation
import NightlatchWire
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The receiver `Server/Tests/Webhooks/receiver.py`, which tests kill and start again on the same port.
struct WebhookReceiver: Sendable {
    let folder: String
    let port: Int
    private let rate: Int

    /// Creates a receiver that does not run yet.
    ///
    /// - Parameters:
    ///   - folder: Its folder, which is created.
    ///   - rate: How many of 1,000 requests it answers with a random fault.
    init(in folder: String, rate: Int = 0) throws {
        self.folder = folder
        self.rate = rate
        port = try LoopbackPort.free()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try setKeys([:])
    }

    /// Starts the receiver, calls `body`, and kills the receiver without warning.
    @discardableResult
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let result = try await Subprocess.run(
            .path(FilePath(PythonEnvironment.python)),
            arguments: [
                "-B", PythonEnvironment.root + "/Server/Tests/Webhooks/receiver.py", folder, String(port), String(rate),
            ],
            input: .none, output: .sequence, error: .discarded
        ) { execution in
            var greeting = ""
            for try await line in execution.standardOutput.strings() {
                greeting = line
                break
            }
            try #require(greeting.trimmingCharacters(in: .whitespacesAndNewlines) == "listening")
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            // Also after an error: the end of the process is awaited.
            try execution.send(signal: .kill)
            return outcome
        }
        return try result.closureResult.get()
    }

    /// Waits until `condition` holds. Fails after `limit`, so that a lost event ends the test.
    static func wait(
        for what: String, within limit: Duration = .seconds(120), until condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !condition() {
            try #require(ContinuousClock.now < end, "waited too long for \(what)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sets the keys of each path.
    func setKeys(_ keys: [String: [String]]) throws {
        try JSONEncoder().encode(keys).write(to: URL(fileURLWithPath: folder + "/keys.json"), options: .atomic)
    }

    /// Sets the answers to the attempts of each event.
    func setMode(_ words: String) throws {
        try words.write(toFile: folder + "/mode", atomically: true, encoding: .utf8)
    }

    /// An event that had its effect.
    struct Effect: Decodable, Sendable {
        let path: String
        let id: String
        let signatures: String
        let event: Event

        struct Event: Decodable, Sendable {
            let type: String
            let timestamp: String
            let data: Facts
        }

        struct Facts: Decodable, Sendable {
            let user: String?
            let device: String?
            let transaction: String?
        }
    }

    /// The events that had their effects at a path, in this order.
    func effects(at path: String) throws -> [Effect] {
        try lines("effects").map { try JSONDecoder().decode(Effect.self, from: Data($0.utf8)) }
            .filter { $0.path == path }
    }

    /// What must not happen, and has.
    func faults() throws -> [String] { try lines("faults") }

    private func lines(_ name: String) throws -> [String] {
        let path = folder + "/" + name
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        // The last line may still be written.
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// A webhook that a test has added with the command.
struct AddedWebhook: Decodable, Sendable {
    let id: String
    /// The secret or the public key.
    let key: String
    let state: String

    /// Runs `nightlatch admin webhooks` with `--json`, and decodes the answer.
    static func command<Answer: Decodable>(
        _ arguments: [String], as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let outcome = try await Nightlatch.run(["admin", "webhooks"] + arguments + ["--json"])
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }
}
