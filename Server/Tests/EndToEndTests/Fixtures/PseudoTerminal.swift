import Foundation
import Synchronization

/// A terminal without a window, and the person who uses it.
final class PseudoTerminal: Sendable {
    struct NotThere: Error {}

    /// The text written so far, and the tasks that wait for a text.
    private final class Screen: Sendable {
        private struct State {
            var text = ""
            var waiting: (texts: [String], continuation: CheckedContinuation<String?, Never>)?

            mutating func resumeIfThere() {
                guard let (texts, continuation) = waiting, let found = texts.first(where: text.contains) else { return }
                waiting = nil
                continuation.resume(returning: found)
            }
        }

        private let state = Mutex(State())

        var text: String { state.withLock(\.text) }

        func add(_ bytes: some Collection<UInt8>) {
            state.withLock { state in
                state.text += String(decoding: bytes, as: UTF8.self)
                state.resumeIfThere()
            }
        }

        func wait(forAnyOf texts: [String]) async -> String? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    state.withLock { state in
                        guard !Task.isCancelled else { return continuation.resume(returning: nil) }
                        state.waiting = (texts, continuation)
                        state.resumeIfThere()
                    }
                }
            } onCancel: {
                state.withLock { $0.waiting.take()?.continuation.resume(returning: nil) }
            }
        }
    }

    /// The path of the device file that a program opens.
    let path: String
    private let (person, program): (Int32, Int32)
    private let screen = Screen()

    init() throws {
        var (person, program): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        guard unsafe openpty(&person, &program, &name, nil, nil) == 0 else { throw NotThere() }
        // As long as the program's side is open here, the person's side stays open for programs that start later.
        (self.person, self.program) = (person, program)
        for end in [person, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Reads output at once, as a window does.
        DispatchQueue(label: "pseudo-terminal").async { [person, screen] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            var count = unsafe read(person, &bytes, bytes.count)
            while count > 0 {
                screen.add(bytes.prefix(count))
                count = unsafe read(person, &bytes, bytes.count)
            }
            close(person)
        }
    }

    deinit {
        close(program)
    }

    /// All text written so far.
    var text: String { screen.text }

    /// Whether the terminal shows the typed text.
    var echoes: Bool {
        var attributes = termios()
        return unsafe tcgetattr(program, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits until the terminal shows one of `texts` and returns it; nil if the task is cancelled first.
    @discardableResult
    func wait(forAnyOf texts: String...) async -> String? { await screen.wait(forAnyOf: texts) }

    func type(_ keys: String) {
        _ = unsafe write(person, keys, keys.utf8.count)
    }
}
