import Foundation
import Synchronization

/// A terminal without a window, and the person at it.
final class PseudoTerminal: Sendable {
    struct NotThere: Error {}

    /// What was written on it so far, and who waits for a text.
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

    /// The file that a program opens.
    let path: String
    private let (person, program): (Int32, Int32)
    private let screen = Screen()

    init() throws {
        var (person, program): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        guard unsafe openpty(&person, &program, &name, nil, nil) == 0 else { throw NotThere() }
        // While the program's side is open here, the person's waits for programs that come.
        (self.person, self.program) = (person, program)
        for end in [person, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // What is written is taken at once, as a window does.
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

    /// All that was written on it.
    var text: String { screen.text }

    /// Whether it shows what is typed.
    var echoes: Bool {
        var attributes = termios()
        return unsafe tcgetattr(program, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits until one of `texts` was written on it, and returns that one; nil if the task is cancelled before.
    @discardableResult
    func wait(forAnyOf texts: String...) async -> String? { await screen.wait(forAnyOf: texts) }

    func type(_ keys: String) {
        _ = unsafe write(person, keys, keys.utf8.count)
    }
}
