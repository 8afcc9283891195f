import ArgumentParser
import Foundation
import Nightlatch

/// Where a PIN comes from: never from an argument or the environment, which other programs can see.
struct PinOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the PIN as a line from this open file descriptor instead of the terminal.",
            valueName: "number"))
    var pinFd: Int32?

    @OptionGroup var pad: PadOptions

    /// Has a vault opened, or something signed with it, by the PIN of the person.
    ///
    /// At the terminal they are asked until a PIN is right, they cancel, or none is left to try; a descriptor has one try.
    ///
    /// - Parameters:
    ///   - vault: What the PIN is for.
    ///   - reason: What the person is told, with an end of line between paragraphs.
    ///   - attempt: Tries a PIN. It throws ``WrongPin`` for one that did not open, and may then be called again.
    /// - Throws: ``CommandFailure``, or what else `attempt` throws.
    func withPin<Value>(
        for vault: Vault,
        reason: String,
        _ attempt: (borrowing Pin) async throws -> Value
    ) async throws -> Value {
        // There may be nothing to type a PIN for. Asked before anybody types one.
        let state = try await OpenClient.stateForPrompt(of: vault)
        guard let pinFd else { return try await PinEntry(vault: vault, pad: pad).run(reason: reason, attempt) }
        switch state {
        case .absent, .erased: throw CommandFailure(UnlockError.noVault)
        case .blocked(let unblocking): throw CommandFailure(.refused, unblocking.sentence)
        case .waiting(let wait, let triesLeft):
            throw CommandFailure(.refused, PinRefusal.waiting(wait, triesLeft: triesLeft).sentence)
        case .ready: break
        }
        do {
            return try await attempt(try PinReader(descriptor: pinFd).read())
        } catch let wrong as WrongPin {
            throw CommandFailure(.refused, wrong.refusal.sentence)
        }
    }

    /// A new PIN; at the terminal it is asked for twice.
    func newPin(for purpose: CreatePinChallenge.Purpose) async throws -> Pin {
        guard let pinFd else { return try await pad.newPin(for: purpose) }
        return try PinReader(descriptor: pinFd).read()
    }
}

/// A PIN did not open the vault. Another may be tried, unless the refusal says otherwise.
struct WrongPin: Error {
    let refusal: PinRefusal
}
