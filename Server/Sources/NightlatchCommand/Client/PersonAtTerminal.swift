import Nightlatch
import NightlatchProgram
import Synchronization

/// A prompt at the terminal that remembers whether a PIN was refused. It also keeps the PIN if the command needs it.
final class PersonAtTerminal: PinPrompt {
    private struct Answers {
        var hasTried = false
        var pin: PinBox?
    }

    private let prompt: TerminalPinPrompt
    private let keepsPin: Bool
    private let answers = Mutex(Answers())

    /// Creates a prompt at the terminal.
    ///
    /// - Parameter keepsPin: Whether the command needs the PIN itself, to change it.
    init(_ prompt: TerminalPinPrompt, keepsPin: Bool = false) {
        self.prompt = prompt
        self.keepsPin = keepsPin
    }

    /// Whether a PIN was tried and refused.
    var hasTried: Bool { answers.withLock { $0.hasTried } }
    /// The PIN that was typed last; nil unless the prompt keeps it.
    var pin: PinBox? { answers.withLock { $0.pin } }

    func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
        if challenge.attempts.lastTry != nil { answers.withLock { $0.hasTried = true } }
        let answer = await prompt.enterPin(challenge)
        guard keepsPin, case .pin(let box) = answer, let pin = box.take() else { return answer }
        let copy = PinBox(pin.copy())
        answers.withLock { $0.pin = copy }
        return .pin(PinBox(pin))
    }

    func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer { await prompt.createPin(challenge) }

    /// The error with which a command ends when the user cancels.
    var cancelled: CommandFailure {
        CommandFailure(.refused, hasTried ? "Cancelled. The wrong PINs count." : "Cancelled. No PIN was tried.")
    }
}
