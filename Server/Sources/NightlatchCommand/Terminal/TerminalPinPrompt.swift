import Dispatch
import Foundation
package import Nightlatch
import NightlatchUI
import Synchronization

/// Asks for a PIN at the terminal that controls this process, with a pad (`PinPad`) that is drawn there or, where nothing can be drawn,
/// speaks in lines.
///
/// The terminal is silent, and on most of them shows the pad instead of what it showed before, until ``close()``; between two questions
/// the pad says that it is busy. What is typed goes from the system's buffer into memory that is wiped.
package final class TerminalPinPrompt: PinPrompt {
    private let terminal: PadTerminal
    private let session: Mutex<PadSession>
    /// Waiting for keys keeps a thread, and the cooperative ones are not for that.
    private let queue = DispatchQueue(label: "nightlatch.pin-pad")
    private let isWithdrawn = Mutex(false)

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - capabilities: What the terminal can show.
    ///   - isShuffled: Whether the digits stand in another order for each PIN.
    ///   - path: The terminal's file.
    /// - Throws: A mistake of usage if there is no terminal, or none that stops showing what is typed.
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

    /// Gives the terminal back.
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
