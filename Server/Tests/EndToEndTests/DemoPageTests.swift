import Foundation
import NightlatchDemo
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

@Suite("The demonstration’s page", .timeLimit(.minutes(30)), .serialized)
struct DemoPageTests {
    @Test(
        """
        In a real browser, by mouse and by keyboard alone, a user sets and mistypes a PIN, waits for a countdown, \
        confirms and rejects payments; the server refuses requests from other pages
        """,
        arguments: [
            "mouse", "keyboard-360-light", "keyboard-360-dark", "keyboard-1280-light", "keyboard-1280-dark", "stranger",
        ])
    func browser(way: String) async throws {
        let folder = try TemporaryFolder()
        let root = PythonEnvironment.root
        let result = try await Subprocess.run(
            .path(FilePath(Nightlatch.demoPath)), arguments: ["--no-open"],
            environment: Nightlatch.environment.updating(["TMPDIR": folder.path]), input: .none, output: .sequence,
            error: .discarded
        ) { execution in
            var url = ""
            for try await line in execution.standardOutput.strings() {
                url = String(line.firstMatch(of: /http:\S+/)?.output ?? "")
                break
            }
            let found = try await Subprocess.run(
                .path(FilePath(PythonEnvironment.python)),
                arguments: [root + "/Server/Tests/Browser/demo.py", way, url, root + "/.build/screenshots/demo"],
                output: .string(limit: 1 << 16), error: .string(limit: 1 << 20))
            try execution.send(signal: .interrupt)
            return Outcome(
                status: found.terminationStatus.number, output: found.standardOutput, errors: found.standardError)
        }
        let outcome = result.closureResult
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("checked: "))
        #expect(result.terminationStatus.number == -SIGINT)
        // Neither the database nor the vault remains after the process.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test(
        """
        The browser program gets an address that works once, not the page's own address, which every user of the \
        machine could read
        """)
    func ticket() async throws {
        let folder = try TemporaryFolder()
        // Replaces the programs with which a system opens addresses: these write down the address that they get.
        for name in ["open", "xdg-open"] {
            let program =
                "#!/bin/sh\nprintf '%s\\n' \"$*\" >'\(folder.path)/given.new'\nmv '\(folder.path)/given.new' '\(folder.path)/given'\n"
            try program.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/" + name)
        }
        let environment = Nightlatch.environment.updating([
            "TMPDIR": folder.path, "DISPLAY": ":0",
            "PATH": folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
        ])
        let result = try await Subprocess.run(
            .path(FilePath(Nightlatch.demoPath)), arguments: [], environment: environment, input: .none,
            output: .sequence, error: .discarded
        ) { execution in
            var url = ""
            for try await line in execution.standardOutput.strings() {
                url = String(line.firstMatch(of: /http:\S+/)?.output ?? "")
                break
            }
            let given = folder.path + "/given"
            while !FileManager.default.fileExists(atPath: given) {
                try Task.checkCancellation()
                await Task.yield()
            }
            let once = try String(contentsOfFile: given, encoding: .utf8).trimmingCharacters(in: .newlines)
            #expect(once.hasPrefix("http://127.0.0.1:") && once != url)
            let script = "curl -s -o /dev/null -w '%{http_code} %{redirect_url}' '\(once)'"
            for expected in ["303 \(url)", "404 "] {
                let answer = try await Subprocess.run(
                    .name("sh"), arguments: ["-c", script], output: .string(limit: 1 << 12), error: .discarded)
                #expect(answer.standardOutput == expected)
            }
            try execution.send(signal: .interrupt)
        }
        #expect(result.terminationStatus.number == -SIGINT)
    }

    @Test("The page shows as many steps as docs/protocol.md lists", arguments: VerifiedSteps.allCases)
    func steps(ceremony: VerifiedSteps) throws {
        let text = try String(contentsOfFile: PythonEnvironment.root + "/docs/protocol.md", encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix(ceremony.heading + "\n") })
        // Text below a heading of the next level lists other steps.
        let own = try #require(section.components(separatedBy: "\n### ").first)
        let numbers = own.split(separator: "\n").compactMap { $0.prefixMatch(of: #/(\d+)\. /#).flatMap { Int($0.1) } }
        #expect(numbers.last == ceremony.texts.count)
    }
}
