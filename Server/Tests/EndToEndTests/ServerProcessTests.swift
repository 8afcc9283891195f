import Dispatch
import Foundation
import NightlatchServerProcess
import Synchronization
import Testing

@Suite("A server started beside other processes", .timeLimit(.minutes(2)))
struct ServerProcessTests {
    /// Processes that inherit the open descriptors of this one, except their standard input and output, and do nothing.
    private final class Heirs: Sendable {
        private struct State {
            var processes: [pid_t] = []
            var isEnough = false
        }

        private let state = Mutex(State())

        var count: Int { state.withLock(\.processes.count) }

        /// Starts one process after the other until there are enough.
        func start() {
            while state.withLock({ !$0.isEnough && $0.processes.count < 500 }) {
                var process: pid_t = 0
                let line = ["sh", "-c", "exec sleep 300 <&- >&- 2>&-"]
                var words = unsafe line.map { unsafe strdup($0) } + [nil]
                defer { unsafe words.forEach { unsafe free($0) } }
                var environment = unsafe Array(words.suffix(1))
                let isStarted = unsafe posix_spawn(&process, "/bin/sh", nil, nil, &words, &environment) == 0
                guard isStarted else { return }
                state.withLock { $0.processes.append(process) }
            }
        }

        func stopStarting() { state.withLock { $0.isEnough = true } }

        func end() {
            let processes = state.withLock { state in
                defer { state.processes = [] }
                return state.processes
            }
            for process in processes {
                kill(process, SIGKILL)
                _ = waitpid(process, nil, 0)
            }
        }
    }

    @Test(
        """
        A server can be stopped, and its exit status is known, although other processes inherited the pipe that \
        reports its end
        """)
    func inheritance() async throws {
        let folder = try TemporaryFolder()
        let server = NightlatchServerProcess.ServerProcess(
            program: URL(fileURLWithPath: Nightlatch.path), folder: folder.path + "/server")
        let heirs = Heirs()
        async let starting: Void = ServerFleet.blocking { heirs.start() }
        let started = try await ServerFleet.blocking {
            defer { heirs.stopStarting() }
            return Result { try server.start(port: 0) }
        }
        try await starting
        // Ends the heirs, so that a faulty `stop()` that waits for them also ends.
        let end = DispatchWorkItem { heirs.end() }
        DispatchQueue(label: "nightlatch.tests.heirs").asyncAfter(deadline: .now() + 60, execute: end)
        #expect(try await ServerFleet.blocking { server.stop() } == 0)
        #expect(heirs.count > 0, "none was there, or it was waited for their end")
        end.cancel()
        heirs.end()
        #expect(throws: Never.self) { try started.get() }
    }
}
