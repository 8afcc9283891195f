import Subprocess

/// A real terminal without a window: tmux, with a server of its own.
struct TerminalScreen {
    let socket: String

    struct NeverShown: Error {
        let text: String
        let screen: String
    }

    /// Runs a line of shell on an empty screen, which stays when the line has ended.
    func start(_ line: String) async throws {
        _ = try await tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", line + "; cat")
    }

    /// Presses keys, as tmux names them.
    func type(_ keys: String) async throws {
        _ = try await tmux("send-keys", keys)
    }

    /// Looks at the screen until `text` is on it; each look costs a process, so there is no need to sleep in between.
    @discardableResult
    func wait(for text: String) async throws -> String {
        var screen = ""
        for _ in 0..<3000 {
            screen = try await tmux("capture-pane", "-p")
            if screen.contains(text) { return screen }
        }
        throw NeverShown(text: text, screen: screen)
    }

    func end() async throws {
        _ = try await tmux("kill-server")
    }

    private func tmux(_ arguments: String...) async throws -> String {
        try await run(
            .name("tmux"), arguments: Arguments(["-S", socket] + arguments), environment: Nightlatch.environment,
            output: .string(limit: 1 << 20)
        ).standardOutput
    }
}
