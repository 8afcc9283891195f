import Foundation
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

@Suite("The demonstration", .timeLimit(.minutes(10)))
struct DemoTests {
    private struct Line: Decodable {
        let ok: Bool
        let name: String?
        let step: Int?
        let checked: String?
        let failure: String?
    }

    private func lines(_ output: String) throws -> [Line] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("The script plays every step, prints what each step checked, and ends with status 0")
    func story() async throws {
        let outcome = try await Nightlatch.runDemo("--script", "--json")
        let lines = try lines(outcome.output)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(lines.count == 25)
        #expect(lines.dropLast().map(\.step) == Array(1...24))
        #expect(lines.allSatisfy { $0.ok })
        #expect(lines.dropLast().allSatisfy { $0.checked?.isEmpty == false })
    }

    @Test("The script ends at the first failing step with status 1")
    func failure() async throws {
        // Without a search path the sixth step cannot find openssl.
        let outcome = try await Nightlatch.runDemo(
            "--script", "--json", environment: Nightlatch.environment.updating(["PATH": "/nowhere"]))
        let lines = try lines(outcome.output)
        #expect(outcome.status == 1)
        #expect(lines.count == 7)
        #expect(lines.prefix(5).allSatisfy { $0.ok })
        #expect(lines[5].ok == false && lines[5].failure?.contains("openssl") == true)
        #expect(lines[6].ok == false && lines[6].step == nil)
    }

    @Test(
        "`nightlatch demo` runs it too, with the same options and exit codes",
        arguments: [("--help", 0), ("--json", 2)] as [(String, Int32)])
    func command(option: String, status: Int32) async throws {
        let outcome = try await Nightlatch.run("demo", option)
        let own = try await Nightlatch.runDemo(option)
        #expect(outcome.status == status && own.status == status)
        #expect(outcome.output == own.output && outcome.errors == own.errors)
        #expect((outcome.output + outcome.errors).contains("nightlatch-demo [--script]"))
    }

    @Test("`nightlatch demo` names the program that is missing")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let copy = folder.path + "/nightlatch"
        try FileManager.default.copyItem(atPath: Nightlatch.path, toPath: copy)
        let outcome = try await Nightlatch.run(["demo"], program: copy)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("\(folder.path)/nightlatch-demo: No such file or directory"))
    }

    /// Plays the script until the server runs, then sends the signal.
    private func playAndSend(_ signal: Signal, folder: String) async throws -> (Played, TerminationStatus) {
        // The script waits for Return after the first step, and so it also waits for the signal, however late it comes.
        let keyboard = try FileDescriptor.pipe()
        defer { try? keyboard.writeEnd.close() }
        let result = try await Subprocess.run(
            .path(FilePath(Nightlatch.demoPath)), arguments: ["--script", "--pause"],
            environment: Nightlatch.environment.updating(["TMPDIR": folder]),
            input: .fileDescriptor(keyboard.readEnd, closeAfterSpawningProcess: true), output: .sequence,
            error: .discarded
        ) { execution in
            for try await line in execution.standardOutput.strings() {
                guard let match = line.firstMatch(of: /process (\d+) serves (\S+) from/) else { continue }
                try execution.send(signal: signal)
                return Played(server: String(match.1), url: String(match.2))
            }
            throw NoServer()
        }
        return (result.closureResult, result.terminationStatus)
    }

    private struct Played {
        let server: String
        let url: String
    }

    private struct NoServer: Error {}

    @Test(
        "When the script is interrupted, it stops its server, deletes its files and ends by the signal",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(number: Int32) async throws {
        let folder = try TemporaryFolder()
        let (played, status) = try await playAndSend(Signal(rawValue: number), folder: folder.path)
        #expect(status.number == -number)
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(played.server)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("When the script is killed, its server notices and ends")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let (played, status) = try await playAndSend(.kill, folder: folder.path)
        #expect(status.number == -9)
        let left = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let key = "\(folder.path)/\(left)/server/backend.key"
        var isServed = true
        // Each look costs a process, so there is no need to sleep in between.
        for _ in 0..<500 where isServed {
            let answer = try await Nightlatch.run(
                "admin", "enrolment-code", "--user", "alice", "--server", played.url, "--backend-key-file", key)
            isServed = answer.status == 0
        }
        #expect(!isServed)
    }

    @Test("When the script has ended, its server has ended too")
    func cleanUp() async throws {
        let outcome = try await Nightlatch.runDemo("--script")
        let process = try #require(outcome.output.firstMatch(of: /serves again as process (\d+)/)?.1)
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(process)"))
    }
}
