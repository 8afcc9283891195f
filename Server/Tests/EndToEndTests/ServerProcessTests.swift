import Foundation
import NightlatchServerProcess
import Synchronization
import Testing

@Suite("A server that is started beside other processes", .timeLimit(.minutes(2)))
struct ServerProcessTests {
    /// Processes that keep open whatever this one had open when they were started, and do nothing.
    private final class Heirs: Sendable {
        private struct State {
            var processes: [pid_t] = []
            var isEnough = false
        }

        private let state = Mutex(State())

        /// Starts one after the other until it is enough.
        func start() {
            while state.withLock({ !$0.isEnough && $0.processes.count < 500 }) {
                var process: pid_t = 0
                let line = ["sleep", "600"]
                var words = unsafe line.map { unsafe strdup($0) } + [nil]
                defer { unsafe words.forEach { unsafe free($0) } }
                var environment = unsafe Array(words.suffix(1))
                let isStarted = unsafe posix_spawn(&process, "/bin/sleep", nil, nil, &words, &environment) == 0
                guard isStarted else { return }
                state.withLock { $0.processes.append(process) }
            }
        }

        func stopStarting() { state.withLock { $0.isEnough = true } }

        deinit {
            for process in state.withLock(\.processes) {
                kill(process, SIGKILL)
                _ = waitpid(process, nil, 0)
            }
        }
    }

    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "nightlatch.tests.server-process").async {
                continuation.resume(with: Result(catching: work))
            }
        }
    }

    @Test(
        "is told from those that inherit what the system tells its end by: it is stopped, and its exit status is known")
    func inheritance() async throws {
        let folder = try TemporaryFolder()
        let server = NightlatchServerProcess.ServerProcess(
            program: URL(fileURLWithPath: Nightlatch.path), folder: folder.path + "/server")
        let heirs = Heirs()
        async let starting: Void = blocking { heirs.start() }
        _ = try await blocking {
            defer { heirs.stopStarting() }
            return try server.start(port: 0)
        }
        try await starting
        #expect(try await blocking { server.stop() } == 0)
        _ = heirs
    }
}
