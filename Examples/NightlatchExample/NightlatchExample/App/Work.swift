import NightlatchUI
import Observation

/// The tasks of one screen, one at a time, and what the latest one has to tell the user.
@MainActor @Observable
final class Work {
    private(set) var isRunning = false
    /// Replaced by the next task.
    var notice: Notice?

    /// Runs a task and turns its error into a notice. Does nothing while another task of the screen runs.
    ///
    /// A task ends by itself. The library limits the time of each request, and the user can cancel each question.
    func run(_ task: () async throws -> Void) async {
        guard !isRunning else { return }
        (isRunning, notice) = (true, nil)
        defer { isRunning = false }
        do {
            try await task()
        } catch {
            notice = Notice(of: error)
        }
    }

    /// Runs a task that may ask with a pad. The pad closes when the task ends.
    func run(asking pad: PinPadModel, _ task: () async throws -> Void) async {
        await run {
            defer { pad.withdraw() }
            try await task()
        }
    }
}
