import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchServerProcess

/// The command `nightlatch-demo`: shows an interactive page, or plays the whole story.
@main
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlatch-demo",
        abstract:
            "Shows a phone and its server on a page to click through; with --script plays the whole story by itself.",
        discussion: """
            The page: this process runs the server, on a free port of this machine with a new database in a temporary folder, and \
            the phone, and prints where the page is. Nobody else on the network reaches it. ⌃C ends it and removes what it has \
            written.
            --script: the server is a process of its own, this process is the device. Each step says what was checked. The first \
            that fails ends the story.
            """,
        version: Release.version)

    @Flag(help: "Play the story by itself instead of showing a page.")
    var script = false

    @Flag(help: "With --script: wait for Return after each step.")
    var pause = false

    @Flag(help: "With --script: print one JSON object a step.")
    var json = false

    @Flag(help: "Do not open a browser.")
    var noOpen = false

    @OptionGroup var keyDerivation: KeyDerivationOptions

    static func main() async { await runToExit() }

    func validate() throws {
        guard script || !(pause || json) else { throw ValidationError("--pause and --json go with --script.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-demo-\(UUID().uuidString)"
        try await script ? playStory(in: folder) : showPage(in: folder)
    }

    private func showPage(in folder: String) async throws {
        let opensBrowser = !noOpen
        let interruption = Interruption { Self.remove(folder) }
        defer { interruption.clearAway() }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let demonstration = try await WebDemonstration(folder: folder, keyDerivation: try keyDerivation.parameters())
        do {
            try await demonstration.run { url, urlOnce in
                StandardStream.writeLine("The demonstration is at \(url)", to: .standardOutput)
                StandardStream.writeLine("⌃C ends it.", to: .standardError)
                if opensBrowser { WebBrowser.open(urlOnce) }
            }
        } catch {
            throw CommandFailure(.unavailable, "the demonstration cannot be served: \(error)")
        }
    }

    private func playStory(in folder: String) async throws {
        let program = Bundle.main.bundleURL.appending(path: "nightlatch")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw CommandFailure(.unavailable, "the server is missing: put the command nightlatch at \(program.path).")
        }
        let server = ServerProcess(program: program, folder: folder + "/server")
        let reporter = DemoReporter(isJSON: json, pausesBetweenSteps: pause)
        let interruption = Interruption {
            reporter.fallSilent()
            server.retire()
            Self.remove(folder)
        }
        defer { interruption.clearAway() }
        do {
            let home = ClientHome(path: folder + "/device", keyDerivation: try keyDerivation.parameters())
            try await DemoStory(server: server, home: home, reporter: reporter).play()
        } catch let failure as DemoFailure {
            reporter.finish(failure: failure)
            throw CommandFailure(.refused, "the story ended early: \(failure)")
        }
        reporter.finish(failure: nil)
    }

    private static func remove(_ folder: String) {
        // If this fails, the files stay in the temporary folder. They are of no value to an attacker.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
