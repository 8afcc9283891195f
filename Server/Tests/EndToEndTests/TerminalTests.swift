import Foundation
import Nightlatch
import NightlatchPlatform
import Subprocess
import Testing

@Suite("At a terminal")
struct TerminalTests {
    private let folder: TemporaryFolder
    private let screen: TerminalScreen

    init() async throws {
        folder = try TemporaryFolder()
        let vault = Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(), keyDerivation: .pbkdf2Default)
        await (try vault.create(with: try Pin(digits: SecretBytes(copying: Array("295038".utf8))))).lock()
        screen = TerminalScreen(socket: folder.path + "/tmux")
    }

    @Test("a PIN is asked for, typed without echo and corrected with the delete key, and opens the vault")
    func typing() async throws {
        try await screen.start("'\(Nightlatch.path)' unlock --home '\(folder.home)'; echo status=$?")
        try await screen.wait(for: "PIN:")
        try await screen.type("2951")
        try await screen.type("BSpace")
        try await screen.type("038")
        try await screen.type("Enter")
        let text = try await screen.wait(for: "status=")
        #expect(text.contains("status=0"))
        #expect(!text.contains("29") && !text.contains("038"))
        try await screen.end()
    }

    @Test("control-C cancels: nothing was tried, and the terminal echoes again")
    func cancelling() async throws {
        let before = try folder.vaultBytes()
        try await screen.start("'\(Nightlatch.path)' unlock --home '\(folder.home)'; echo status=$?; stty -a")
        try await screen.wait(for: "PIN:")
        try await screen.type("295")
        try await screen.type("C-c")
        let text = try await screen.wait(for: "echo ")
        #expect(text.contains("Cancelled. Nothing was tried.") && text.contains("status=1"))
        #expect(["isig ", "icanon ", "echo "].allSatisfy { text.contains($0) && !text.contains("-" + $0) })
        #expect(try folder.vaultBytes() == before)
        try await screen.end()
    }
}
