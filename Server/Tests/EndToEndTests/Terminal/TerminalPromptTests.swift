import Nightlatch
import NightlatchCommand
import NightlatchTesting
import Testing

@Suite("The terminal pad as a prompt of the library", .serialized, .timeLimit(.minutes(5)))
struct TerminalPromptTests {
    /// Performs a person's act on the pad at the terminal.
    private static func perform(_ act: PinPromptAct, at terminal: PseudoTerminal) async {
        // Output may arrive in pieces, and the error of the last PIN may come first.
        let title = await terminal.wait(forAnyOf: "Enter your PIN", "Choose a PIN")
        switch act {
        case .type(let digits):
            terminal.type(digits + "\r")
            guard title == "Choose a PIN" else { return }
            await terminal.wait(forAnyOf: "Enter the new PIN again")
            terminal.type(digits + "\r")
        case .cancel: terminal.type("\u{03}")
        case .forget: terminal.type("fy")
        case .chooseBiometrics: terminal.type("b")
        case .wait: break
        }
    }

    @Test(
        "The prompt keeps the contract of every prompt, drawn and in lines, and echo is on only after it",
        arguments: PinPromptConformance.allCases, [true, false])
    func conformance(_ promise: PinPromptConformance, drawsPictures: Bool) async throws {
        let capabilities = TerminalCapabilities(drawsPictures: drawsPictures, hasUnicode: true, hasColor: false)
        var last: (terminal: PseudoTerminal, prompt: TerminalPinPrompt)?
        try await promise.check { act in
            last?.prompt.close()
            let terminal: PseudoTerminal
            let prompt: TerminalPinPrompt
            do {
                terminal = try PseudoTerminal()
                prompt = try TerminalPinPrompt(capabilities: capabilities, isShuffled: false, path: terminal.path)
            } catch {
                preconditionFailure("no terminal: \(error)")
            }
            #expect(!terminal.echoes)
            last = (terminal, prompt)
            return (prompt, { await Self.perform(act, at: terminal) })
        }
        let (terminal, prompt) = try #require(last)
        prompt.close()
        #expect(terminal.echoes)
        if case .eachPinComesInABoxOfItsOwn = promise { #expect(!terminal.text.contains("482915")) }
    }
}
