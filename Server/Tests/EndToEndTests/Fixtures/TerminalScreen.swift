import Foundation
import Subprocess

/// A real terminal without a window: tmux, on a separate socket.
struct TerminalScreen {
    let socket: String

    struct NeverShown: Error {
        let text: String
        let screen: String
    }

    /// Runs a shell line on an empty screen, which stays when the line has ended.
    ///
    /// - Parameters:
    ///   - line: The shell line. Its terminal shows Unicode.
    ///   - columns: The width of the screen.
    ///   - rows: The height of the screen.
    ///   - hasAlternateScreen: Whether the terminal has an alternate screen, which leaves no trace.
    func start(_ line: String, columns: Int = 100, rows: Int = 30, hasAlternateScreen: Bool = true) async throws {
        let settings = socket + ".conf"
        try "set -g alternate-screen \(hasAlternateScreen ? "on" : "off")\n".write(
            toFile: settings, atomically: true, encoding: .utf8)
        _ = try await tmux(
            "-f", settings, "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "export LC_ALL=C.UTF-8; unset NO_COLOR; " + line + "; cat")
    }

    /// Presses keys, named as in tmux, one after the other.
    func type(_ keys: String...) async throws { try await type(keys) }

    func type(_ keys: [String]) async throws {
        _ = try await run(["send-keys"] + keys)
    }

    /// Types a line of text and Return.
    func enter(_ line: String) async throws {
        _ = try await tmux("send-keys", "-l", line)
        try await type("Enter")
    }

    /// Changes the size of the window.
    func resize(columns: Int, rows: Int) async throws {
        _ = try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Returns the text on the screen.
    func text() async throws -> String { try await tmux("capture-pane", "-p") }

    /// Returns the text on the screen with colours and weights, as sequences of ECMA-48.
    func styledText() async throws -> String { try await tmux("capture-pane", "-p", "-e") }

    /// Returns the text on the screen and in the history.
    func history() async throws -> String { try await tmux("capture-pane", "-p", "-S", "-", "-E", "-") }

    /// Whether a program uses the alternate screen, which leaves no trace.
    func showsAlternateScreen() async throws -> Bool {
        try await tmux("display-message", "-p", "#{alternate_on}").hasPrefix("1")
    }

    /// Reads the screen until `text` is on it. Each reading starts a process, so there is no need to sleep in between.
    @discardableResult
    func wait(for text: String) async throws -> String {
        try await wait(for: text) { $0.contains(text) }
    }

    /// Reads the screen until it meets `condition`.
    @discardableResult
    func wait(for description: String, until condition: (String) async throws -> Bool) async throws -> String {
        var screen = ""
        for _ in 0..<3000 {
            screen = try await text()
            if try await condition(screen) { return screen }
        }
        throw NeverShown(text: description, screen: screen)
    }

    func end() async throws {
        _ = try await tmux("kill-server")
    }

    private func tmux(_ arguments: String...) async throws -> String { try await run(arguments) }

    private func run(_ arguments: [String]) async throws -> String {
        try await Subprocess.run(
            .name("tmux"), arguments: Arguments(["-u", "-S", socket] + arguments),
            environment: Nightlatch.environment.updating(["SHELL": "/bin/sh"]), output: .string(limit: 1 << 20)
        ).standardOutput
    }
}
