import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("At a terminal", .timeLimit(.minutes(10)))
struct TerminalTests {
    private let folder: TemporaryFolder
    private let screen: TerminalScreen

    init() async throws {
        folder = try TemporaryFolder()
        let vault = Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2Default))
        await (try vault.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))).lock()
        screen = TerminalScreen(socket: folder.path + "/tmux")
    }

    private var unlock: String { "'\(Nightlatch.path)' unlock --home '\(folder.home)'" }

    @Test(
        """
        A typed PIN fills circles, appears neither on the screen nor in its history, and opens the vault, with and \
        without an alternate screen
        """,
        arguments: [true, false])
    func typing(hasAlternateScreen: Bool) async throws {
        try await screen.start("\(unlock); echo done=$?", hasAlternateScreen: hasAlternateScreen)
        try await screen.wait(for: "Enter your PIN")
        for (count, key) in ["2", "9", "5", "1", "BSpace", "0", "3", "8"].enumerated() {
            try await screen.type(key)
            let filled = count < 4 ? count + 1 : count - 1
            try await screen.wait(for: "\(filled) circles") { text in text.filter { $0 == "●" }.count == filled }
            // The labels of the ten keys are the only digits.
            #expect(try await screen.history().filter { $0.isNumber } == "1234567890")
        }
        #expect(try await screen.showsAlternateScreen() == hasAlternateScreen)
        try await screen.type("Enter")
        try await screen.wait(for: "done=0")
        let history = try await screen.history()
        #expect(history.filter { !$0.isWhitespace } == "done=0", "\(history)")
        try await screen.end()
    }

    @Test("A shuffled pad is read from the screen and operated with the arrows")
    func shuffled() async throws {
        try await screen.start("\(unlock) --shuffle; echo done=$?")
        try await screen.wait(for: "Enter your PIN")
        let labels = try await screen.text().filter(\.isNumber).map { String($0) }
        // The first arrow shows the focus in the middle.
        var (row, column) = (1, 1)
        try await screen.type("Up")
        for (count, digit) in ["2", "9", "5", "0", "3", "8"].enumerated() {
            let index = try #require(labels.firstIndex(of: digit))
            let (newRow, newColumn) = index == 9 ? (3, 1) : (index / 3, index % 3)
            let vertical = Array(repeating: newRow < row ? "Up" : "Down", count: abs(newRow - row))
            let horizontal = Array(repeating: newColumn < column ? "Left" : "Right", count: abs(newColumn - column))
            try await screen.type(vertical + horizontal + ["Enter"])
            (row, column) = (newRow, newColumn)
            try await screen.wait(for: "\(count + 1) circles") { text in text.filter { $0 == "●" }.count == count + 1 }
        }
        let home = Array(repeating: "Down", count: 3) + Array(repeating: "Right", count: 2)
        try await screen.type(home + ["Enter"])
        try await screen.wait(for: "done=0")
        try await screen.end()
    }

    @Test("Control-C cancels: no PIN is tried, and the terminal is as before")
    func cancelling() async throws {
        let before = try folder.vaultBytes()
        try await screen.start("stty -g >'\(folder.path)/before'; \(unlock); echo done=$?; \(sameModes)")
        try await screen.wait(for: "Enter your PIN")
        try await screen.type("2", "9", "5", "C-c")
        let text = try await screen.wait(for: "same modes")
        #expect(text.contains("Cancelled. No PIN was tried.") && text.contains("done=1"))
        #expect(try folder.vaultBytes() == before)
        try await screen.end()
    }

    @Test("A wrong PIN is reported with the attempts left, then the pad counts down and accepts no digit")
    func lockout() async throws {
        try await screen.start("\(unlock); echo done=$?", columns: 60, rows: 24)
        for triesLeft in [9, 8, 7] {
            try await screen.wait(for: "○")
            try await screen.type("8", "6", "0", "5", "2", "7", "Enter")
            try await screen.wait(for: "Wrong PIN. \(triesLeft) attempts left.")
        }
        let locked = try await screen.wait(for: "Locked. Try again in 0:")
        // As in the README. The exact second depends on the machine's load, so it is replaced.
        let shown = DocumentedScreen(locked.replacing(/0:[0-3][0-9]/, with: "0:29"))
        #expect(try DocumentedScreen(containing: "Try again in 0:29.", in: "README.md") == shown)
        try await TerminalPictures.draw(try await screen.styledText(), as: "terminal")
        try await screen.type("2", "9", "5")
        let later = try await screen.wait(for: "the next second") { text in
            text.contains("Locked. Try again in 0:") && text != locked
        }
        #expect(!later.contains("●"))
        try await screen.type("C-c")
        let text = try await screen.wait(for: "done=1")
        #expect(text.contains("Cancelled. The wrong PINs count."))
        try await screen.end()
    }

    /// Signals that end the command: those that it handles and two that it does not, one of them the signal of a crash.
    private static let deaths = [SIGKILL, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV]

    @Test(
        "The terminal is as before when the command is killed or crashes while it asks, drawn or in lines",
        arguments: deaths, ["", "--plain"])
    func killing(signal: Int32, option: String) async throws {
        // Uses a separate shell, so that the signal reaches no shell on the screen and no shell restores the terminal.
        // No core file is written.
        try await screen.start(
            """
            ulimit -c 0; export SWIFT_BACKTRACE=enable=no; stty -g >'\(folder.path)/before'
            sh -c 'echo $$ >"$0"; exec "$@"' '\(folder.path)/pid' \(unlock) \(option)
            echo ended; \(sameModes)
            """)
        let isDrawn = option.isEmpty
        try await screen.wait(for: isDrawn ? "Enter your PIN" : "PIN:")
        if isDrawn {
            try await screen.type("2", "9", "5")
            try await screen.wait(for: "three circles") { $0.contains("●  ●  ●  ○") }
        }
        kill(try pid(), signal)
        try await screen.wait(for: "same modes") { text in
            guard text.contains("same modes") else { return false }
            return try await !screen.showsAlternateScreen()
        }
        #expect(try await !screen.history().contains("●"))
        try await screen.end()
    }

    @Test(
        """
        SIGSTOP leaves the terminal to the shell, which restores it, and continuing draws the pad again with the typed \
        digits
        """)
    func stopping() async throws {
        // An interactive bash, because the test examines the shell's part.
        try await screen.start("PS1='ready ' exec bash --norc --noprofile -i")
        try await screen.wait(for: "ready")
        try await screen.enter("stty -g >'\(folder.path)/before'")
        try await screen.enter("sh -c 'echo $$ >\"$0\"; exec \"$@\"' '\(folder.path)/pid' \(unlock)")
        try await screen.wait(for: "Enter your PIN")
        try await screen.type("2", "9")
        try await screen.wait(for: "two circles") { $0.contains("●  ●  ○") }
        kill(try pid(), SIGSTOP)
        try await screen.wait(for: "Stopped")
        // The shell now reads the typed text and shows it.
        try await screen.enter("clear; \(sameModes)")
        try await screen.wait(for: "same modes") { Self.hasSameModes($0) }
        try await screen.enter("fg")
        try await screen.wait(for: "two circles again") { $0.contains("●  ●  ○") && $0.contains("Enter your PIN") }
        try await screen.type("5", "0", "3", "8", "Enter")
        // Waits for a bare prompt: text typed before the shell is back may be discarded with the pad.
        try await screen.wait(for: "ready") { Self.isAtPrompt($0) }
        try await screen.enter("clear; echo done=$?; \(sameModes)")
        let text = try await screen.wait(for: "same modes") { Self.hasSameModes($0) }
        #expect(text.contains("done=0"))
        try await screen.end()
    }

    /// Whether the words are a line of their own, and not only part of the command that prints them.
    private static func hasSameModes(_ text: String) -> Bool { text.split(separator: "\n").contains("same modes") }

    /// Whether the shell waits for a line and no text is typed yet.
    private static func isAtPrompt(_ text: String) -> Bool { text.split(separator: "\n").last == "ready" }

    /// Returns the id of the process that asks for the PIN.
    private func pid() throws -> pid_t {
        let text = try String(contentsOfFile: folder.path + "/pid", encoding: .utf8)
        return try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    }

    @Test(
        "Control-Z and SIGTSTP give the terminal back, and continuing shows the pad with the typed digits",
        arguments: [true, false])
    func suspending(isByKey: Bool) async throws {
        let stopped = folder.path + "/stopped"
        try await screen.start(
            """
            set -m; stty -g >'\(folder.path)/before'; sh -c 'echo $$ >"$0"; exec "$@"' '\(folder.path)/pid' \(unlock)
            stty -g >'\(stopped).new'; mv '\(stopped).new' '\(stopped)'; fg >/dev/null; echo done=$?
            """)
        try await screen.wait(for: "Enter your PIN")
        try await screen.type("2", "9")
        try await screen.wait(for: "two circles") { $0.contains("●  ●  ○") }
        if isByKey { try await screen.type("C-z") } else { kill(try pid(), SIGTSTP) }
        try await screen.wait(for: "the shell") { _ in FileManager.default.fileExists(atPath: stopped) }
        try await screen.wait(for: "two circles again") { $0.contains("●  ●  ○") }
        let modes = try ["/before", "/stopped"].map { try String(contentsOfFile: folder.path + $0, encoding: .utf8) }
        #expect(modes[0] == modes[1])
        try await screen.type("5", "0", "3", "8", "Enter")
        try await screen.wait(for: "done=0")
        try await screen.end()
    }

    @Test(
        "A dumb terminal gets each message once, in lines, and shows nothing of the PIN",
        arguments: ["TERM=dumb", "--plain", "2>/dev/null"])
    func plain(how: String) async throws {
        let command =
            switch how {
            case "TERM=dumb": "TERM=dumb \(unlock)"
            case "--plain": "\(unlock) --plain"
            default: "\(unlock) \(how)"
            }
        try await screen.start("\(command); echo done=$?")
        try await screen.wait(for: "PIN:")
        try await screen.type("2", "9", "1", "BSpace", "5", "0", "3", "8", "Enter")
        try await screen.wait(for: "done=0")
        let history = try await screen.history().trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(
            history == """
                Enter your PIN to unlock the vault.
                Type digits, then Return; they are not shown. Control-C cancels.
                PIN:
                done=0
                """)
        try await screen.end()
    }

    @Test("A dumb terminal shows the lines of docs/terminal.md")
    func documentedLines() async throws {
        try await screen.start("TERM=dumb \(unlock)")
        try await screen.wait(for: "PIN:")
        try await screen.type("8", "6", "0", "5", "2", "7", "Enter")
        let text = try await screen.wait(for: "Wrong PIN. 9 attempts left.")
        let documented = try DocumentedScreen(containing: "TERM=dumb nightlatch unlock", in: "docs/terminal.md").lines
        #expect(documented.count == 5 && DocumentedScreen(text).lines.starts(with: documented.dropFirst()))
        try await screen.end()
    }

    @Test("The pad follows the window's size, and accepts no digit in a window that is too small")
    func resizing() async throws {
        try await screen.start("\(unlock); echo done=$?")
        try await screen.wait(for: "Enter your PIN")
        try await screen.type("2", "9")
        try await screen.wait(for: "two circles") { $0.contains("●  ●  ○") }
        try await screen.resize(columns: 40, rows: 24)
        try await screen.wait(for: "the pad in the middle of 40 columns") {
            $0.contains("\n          │  1  │  2  │  3  │")
        }
        try await screen.resize(columns: 16, rows: 4)
        try await screen.wait(for: "This window")
        try await screen.type("7", "7", "7")
        try await screen.resize(columns: 80, rows: 24)
        try await screen.wait(for: "two circles") { $0.contains("●  ●  ○") }
        try await screen.type("5", "0", "3", "8", "Enter")
        try await screen.wait(for: "done=0")
        try await screen.end()
    }

    @Test("A PIN change tries the old PIN first, then asks for the new one twice and compares")
    func changing() async throws {
        try await screen.start("'\(Nightlatch.path)' pin change --home '\(folder.home)'; echo done=$?")
        try await screen.wait(for: "to choose another one")
        try await screen.type("2", "9", "5", "0", "3", "8", "Enter")
        try await screen.wait(for: "Choose a new PIN")
        try await screen.type(["1", "2", "3", "4", "5", "6"])
        try await screen.wait(for: "it counts up or down")
        // The old PIN is refused before it is repeated.
        try await screen.type(["2", "9", "5", "0", "3", "8"])
        try await screen.wait(for: "it is the current PIN")
        try await screen.type(["7", "4", "1", "9", "0", "6"])
        try await screen.wait(for: "Enter the new PIN again")
        try await screen.type(["7", "4", "1", "9", "0", "7"])
        try await screen.wait(for: "The two PINs differ")
        try await screen.type(["7", "4", "1", "9", "0", "6"])
        try await screen.wait(for: "Enter the new PIN again")
        try await screen.type(["7", "4", "1", "9", "0", "6"])
        let text = try await screen.wait(for: "done=0")
        #expect(text.contains("PIN changed"))
        let unlocked = try await folder.device("unlock", pins: ["741906"])
        #expect(unlocked.status == 0)
        try await screen.end()
    }

    @Test("A forgotten PIN is given up only after the person confirms")
    func forgetting() async throws {
        try await screen.start("\(unlock); echo done=$?")
        try await screen.wait(for: "Enter your PIN")
        try await screen.type("f")
        try await screen.wait(for: "Is the PIN forgotten?")
        try await screen.type("n")
        try await screen.wait(for: "Enter your PIN")
        try await screen.type("f")
        try await screen.wait(for: "Is the PIN forgotten?")
        try await screen.type("y")
        let text = try await screen.wait(for: "done=1")
        #expect(text.contains("The PIN is blocked: no PIN opens") && text.contains("To start over"))
        try await screen.end()
    }

    /// A shell line that prints the words once the terminal's modes equal those in the file `before`: after SIGKILL
    /// another process restores them.
    private var sameModes: String {
        "until [ \"$(stty -g)\" = \"$(cat '\(folder.path)/before')\" ]; do :; done; echo same modes"
    }
}
