import ArgumentParser
import Foundation
import NightlatchServerProcess

/// `nightlatch demo`: the whole story, played with a real server process and a real client.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Plays the whole story: a server, a device, a PIN, a login, a payment, a lockout, a revocation.",
        discussion: """
            The server is a process of its own on a free port of this machine, with a new database in a temporary folder; \
            this process is the device. Each step says what was checked. The first that fails ends the story.
            """)

    @Flag(help: "Play without pausing between the steps.")
    var script = false

    @Flag(help: "Print one JSON object a step.")
    var json = false

    @OptionGroup var keyDerivation: KeyDerivationOptions

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-demo-\(UUID().uuidString)"
        guard let program = Bundle.main.executableURL else {
            throw CommandFailure(.defect, "this program cannot find itself")
        }
        let server = ServerProcess(program: program, folder: folder + "/server")
        let reporter = DemoReporter(isJSON: json, pausesBetweenSteps: !script && !json)
        let interruption = Interruption {
            reporter.fallSilent()
            server.retire()
            // What is left of a demonstration in a temporary folder is of no value to anyone.
            try? FileManager.default.removeItem(atPath: folder)
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
}
