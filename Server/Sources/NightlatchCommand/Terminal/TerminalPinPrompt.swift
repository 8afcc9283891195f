import Dispatch
import Foundation
package import Nightlatch
package import NightlatchProgram
import NightlatchUI
import Synchronization

/// Asks for a PIN at the controlling terminal, with a drawn pad (`PinPad`) or, if the terminal cannot draw, in lines of
/// text.
///
/// Until ``close()``, the terminal does not show typed characters, and most terminals show the pad instead of their
/// previous content. Between two questions, the pad shows that it is busy. Input is read directly into memory that is
/// zeroed afterwards.
package final class TerminalPinPrompt: PinPrompt {
    private let terminal: PadTerminal
    private let session: Mutex<PadSession>
    /// The queue on which the prompt waits for keys. Waiting blocks a thread, which must not belong to the cooperative
    /// pool.
    private let queue = DispatchQueue(label: "nightlatch.pin-pad")
    private let isWithdrawn = Mutex(false)

    /// Takes over the terminal.
    ///
    /// - Parameters:
    ///   - capabilities: The terminal's capabilities.
    ///   - isShuffled: Whether the digits are shuffled for each PIN.
    ///   - path: The terminal's file.
    /// - Throws: A usage error if there is no terminal, or if its echo cannot be turned off.
    package init(
        capabilities: TerminalCapabilities,
        isShuffled: Bool,
        path: String = "/dev/tty"
    ) throws(CommandFailure) {
        let terminal = try PadTerminal(
            path: path, arriving: capabilities.drawsPictures ? PadSession.arriving : "",
            leaving: capabilities.drawsPictures ? PadSession.leaving : "")
        PadSignals.attend(to: terminal)
        self.terminal = terminal
        session = Mutex(PadSession(terminal, capabilities, isShuffled: isShuffled))
        do {
            try terminal.silence()
        } catch {
            PadSignals.end(terminal)
            throw error
        }
    }

    deinit { close() }

    /// Restores the terminal.
    package func close() {
        PadSignals.end(terminal)
        terminal.close()
    }

    package func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
        await ask { session, isWithdrawn in session.enterPin(challenge, until: isWithdrawn) }
    }

    package func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer {
        await ask { session, isWithdrawn in session.createPin(challenge, until: isWithdrawn) }
    }

    private func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (inout PadSession, _ isWithdrawn: () -> Bool) -> Answer
    ) async -> Answer {
        isWithdrawn.withLock { $0 = false }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: self.session.withLock { session in
                            question(&session) { self.isWithdrawn.withLock(\.self) }
                        })
                }
            }
        } onCancel: {
            self.isWithdrawn.withLock { $0 = true }
        }
    }
}
