import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// The source of a PIN: the terminal or a file descriptor. A PIN is never an argument or an environment variable,
/// because other programs can read those.
struct PinOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the PIN as a line from this open file descriptor instead of the terminal.",
            valueName: "number"))
    var pinFd: Int32?

    @OptionGroup var pad: PadOptions

    /// Opens a vault with the user's PIN, and prints the foreign guesses and the rekey error, if there are any.
    ///
    /// At the terminal, it asks until a PIN is right, the user cancels, or no attempt is left. A descriptor provides
    /// one attempt.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - reason: The text that the user sees, with a line feed between paragraphs.
    ///   - keepsPin: Whether to return the PIN, too.
    /// - Throws: ``CommandFailure``.
    func unlock(
        _ vault: Vault,
        reason: String,
        keepsPin: Bool = false
    ) async throws -> (open: OpenVault, pin: PinBox?) {
        guard pinFd == nil else {
            let pin = try await readPin(for: vault)
            do {
                let open = try await vault.unlock(with: pin)
                OpenClient.tell(open.foreignGuesses, open.rekeyFailure)
                return (open, PinBox(pin))
            } catch {
                throw CommandFailure(error)
            }
        }
        try await refuseUnlessPinOpens(vault)
        let (open, pin) = try await pad.withPrompt { prompt in
            let person = PersonAtTerminal(prompt, keepsPin: keepsPin)
            let service = LocalAuthService(vault: vault, of: .atThisTerminal, prompt: person)
            do {
                switch try await service.unlock(reason: reason).outcome {
                case .unlocked(let open, by: _): return (open, person.pin)
                case .cancelled: throw person.cancelled
                case .waiting(let wait, let triesLeft):
                    throw CommandFailure(PinRefusal.waiting(wait, triesLeft: triesLeft))
                case .blocked(let unblocking): throw CommandFailure(PinRefusal.blocked(unblocking))
                case .erased: throw CommandFailure(PinRefusal.erased)
                case .missing: throw CommandFailure(UnlockError.noVault)
                }
            } catch let error as LocalAuthError {
                throw CommandFailure(error)
            }
        }
        OpenClient.tell(open.foreignGuesses, open.rekeyFailure)
        return (open, pin)
    }

    /// Asks for the PIN, sends the decision, and prints the foreign guesses and the rekey error, if there are any.
    ///
    /// - Throws: ``CommandFailure``.
    func decide(
        _ decision: TransactionDecision,
        on subject: DecisionSubject,
        in session: Session,
        vault: Vault,
        keys: any DeviceKeys,
        reason: String
    ) async throws {
        let receipt: DecisionReceipt
        if pinFd != nil {
            let pin = try await readPin(for: vault)
            do {
                receipt = try await subject.decide(decision, in: session, vault: vault, keys: keys, pin: pin)
            } catch {
                throw CommandFailure(error)
            }
        } else {
            try await refuseUnlessPinOpens(vault)
            receipt = try await pad.withPrompt { prompt in
                let person = PersonAtTerminal(prompt)
                let service = LocalAuthService(vault: vault, of: .atThisTerminal, prompt: person)
                do {
                    let result = try await subject.decide(
                        decision, asking: service, in: session, keys: keys, reason: reason)
                    switch result.outcome {
                    case .decided(let receipt): return receipt
                    case .cancelled: throw person.cancelled
                    case .waiting(let wait, let triesLeft):
                        throw CommandFailure(PinRefusal.waiting(wait, triesLeft: triesLeft))
                    case .blocked(let unblocking): throw CommandFailure(PinRefusal.blocked(unblocking))
                    case .erased: throw CommandFailure(PinRefusal.erased)
                    case .missing: throw CommandFailure(UnlockError.noVault)
                    }
                } catch let error as DecisionError {
                    throw CommandFailure(error)
                }
            }
        }
        OpenClient.tell(receipt.foreignGuesses, receipt.rekeyFailure)
    }

    /// Reads the PIN from the descriptor, if the vault accepts one now. Does not try it.
    func readPin(for vault: Vault) async throws -> Pin {
        guard let pinFd else { throw CommandFailure(.defect, "there is no descriptor to read a PIN from") }
        if case .waiting(let wait, let triesLeft) = try await refuseUnlessPinOpens(vault) {
            throw CommandFailure(PinRefusal.waiting(wait, triesLeft: triesLeft))
        }
        return try PinReader(descriptor: pinFd).read()
    }

    /// Checks that a PIN can open the vault, before the user types one.
    @discardableResult
    private func refuseUnlessPinOpens(_ vault: Vault) async throws -> VaultState {
        let state = try await OpenClient.stateForPrompt(of: vault)
        switch state {
        case .absent, .erased: throw CommandFailure(UnlockError.noVault)
        case .blocked(let unblocking): throw CommandFailure(PinRefusal.blocked(unblocking))
        case .waiting, .ready: return state
        }
    }

    /// Returns a new PIN from the file descriptor, or from the terminal, which asks for it twice.
    ///
    /// - Parameter current: The current PIN, which the terminal refuses as a new one. It stays in the box.
    func newPin(for purpose: CreatePinChallenge.Purpose, otherThan current: PinBox? = nil) async throws -> Pin {
        guard let pinFd else { return try await pad.newPin(for: purpose, otherThan: current) }
        return try PinReader(descriptor: pinFd).read()
    }
}
