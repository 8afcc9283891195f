import Foundation
import Nightlatch
import Observation

/// The state of the screen.
@MainActor @Observable
final class ChecksModel {
    private(set) var overview = Overview.empty
    private(set) var isRunning = false
    /// The file with the report, ready to be shared.
    private(set) var report: URL?
    private(set) var reportProblem: String?
    private let runner = CheckRunner(.device)
    private var hasStarted = false

    func start() async {
        // A second window of the app is not a second start.
        guard !hasStarted else { return }
        hasStarted = true
        await run { await $0.start() }
        // A simulator without a person: scripts/check-xcode.
        if ProcessInfo.processInfo.arguments.contains("--run-all") { await runAll() }
    }

    func runAll() async {
        await run { await $0.runAll() }
    }

    func perform(_ action: CheckAction, on assumption: Assumption) async {
        await run { await $0.perform(action, on: assumption) }
    }

    private func run(_ work: (CheckRunner) async -> Overview) async {
        guard !isRunning else { return }
        isRunning = true
        overview = await work(runner)
        await writeReport()
        isRunning = false
    }

    private func writeReport() async {
        let file = FileManager.default.temporaryDirectory.appending(path: "nightlatch-device-checks.json")
        do {
            try await runner.report().json().write(to: file, options: .atomic)
            (report, reportProblem) = (file, nil)
        } catch {
            (report, reportProblem) = (nil, "\(error)")
        }
    }
}
