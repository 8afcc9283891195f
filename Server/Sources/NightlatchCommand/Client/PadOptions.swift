import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// The options for the PIN pad at the terminal.
struct PadOptions: ParsableArguments {
    @Flag(help: "Shuffle the digits of the PIN pad each time. Press them with the arrows and Return.")
    var shuffle = false

    @Flag(
        help: ArgumentHelp(
            "Ask for the PIN in plain lines instead of drawing a pad.",
            discussion: "For screen readers. This is the default if TERM is dumb or standard error is no terminal."))
    var plain = false

    /// Calls `body` with a prompt at the terminal, and then restores the terminal.
    func withPrompt<Value: ~Copyable>(
        _ body: (TerminalPinPrompt) async throws -> Value
    ) async throws -> Value {
        let prompt = try TerminalPinPrompt(
            capabilities: TerminalCapabilities(
                environment: ProcessInfo.processInfo.environment, messagesAreSeen: isatty(STDERR_FILENO) == 1,
                isPlain: plain),
            isShuffled: shuffle)
        defer { prompt.close() }
        return try await body(prompt)
    }

    /// Asks twice for a new PIN, and returns one that the policy allows and that differs from `current`.
    func newPin(for purpose: CreatePinChallenge.Purpose, otherThan current: PinBox? = nil) async throws -> Pin {
        try await withPrompt { prompt in
            let challenge = CreatePinChallenge(
                profile: .atThisTerminal, purpose: purpose, policy: .default, current: current)
            guard case .pin(let box) = await prompt.createPin(challenge), let pin = box.take() else {
                throw CommandFailure(.refused, "Cancelled. Nothing was changed.")
            }
            return pin
        }
    }
}

extension Profile {
    /// The profile that commands pass to a prompt. A client home has no registry of profiles, and the terminal's prompt
    /// does not show the profile.
    static var atThisTerminal: Profile { Profile(id: .random(), name: "This device") }
}
