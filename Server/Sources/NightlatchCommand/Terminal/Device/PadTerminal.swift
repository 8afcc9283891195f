import Foundation
import Nightlatch
import Synchronization

/// The terminal of this process while a PIN is asked for at it: silent, and as it was before once it is released.
///
/// It is silenced only while this process is in its foreground, and released when it is closed, suspended or ended by a signal
/// (``PadSignals``), and when the process dies in any other way (``PadGuardian``). Reading and writing do nothing while it is released.
final class PadTerminal: Sendable {
    private struct State {
        /// The modes before it was silenced; nil while it is released.
        var before: termios?
        var isClosed = false
        /// Whether what is on the screen may not be what was drawn.
        var isStale = true
        /// Whether keys that make signals are keys like any other.
        var takesAllKeys = false
    }

    /// What is written when the terminal is silenced, and when it is released.
    private let (arriving, leaving): (String, String)
    private let device: TerminalDevice
    private let guardian: PadGuardian
    private let state = Mutex(State())

    /// Opens a terminal.
    ///
    /// - Parameters:
    ///   - path: Its file; `/dev/tty` is the one that controls this process.
    ///   - arriving: Written when the terminal is silenced, also after a suspension.
    ///   - leaving: Written when it is released, in whatever way.
    /// - Throws: A mistake of usage if there is no terminal.
    init(path: String, arriving: String, leaving: String) throws(CommandFailure) {
        guard let device = TerminalDevice(path: path) else {
            throw CommandFailure(.usage, "There is no terminal to ask for the PIN; use --pin-fd.")
        }
        self.device = device
        (self.arriving, self.leaving) = (arriving, leaving)
        guardian = PadGuardian(terminal: path, leaving: leaving)
    }

    deinit {
        close()
        device.close()
    }

    /// Silences the terminal if it is released and this process is in its foreground.
    ///
    /// - Returns: Whether it was released.
    /// - Throws: A mistake of usage if it does not stop showing what is typed.
    @discardableResult
    func silence() throws(CommandFailure) -> Bool {
        try state.withLock { state throws(CommandFailure) in
            guard state.before == nil, !state.isClosed, device.isInForeground, let modes = device.modes else {
                return false
            }
            guardian.terminalIsSilenced()
            state.before = modes
            guard apply(&state) else {
                release(&state)
                throw CommandFailure(.usage, "The terminal does not stop showing what is typed; use --pin-fd.")
            }
            device.put(arriving)
            state.isStale = true
            return true
        }
    }

    /// Makes ⌃C and its like keys to be read; or lets them do again what they do otherwise, while the process works.
    func takeAllKeys(_ takesAllKeys: Bool) {
        state.withLock { state in
            state.takesAllKeys = takesAllKeys
            _ = state.before == nil || apply(&state)
        }
    }

    /// Gives the terminal back. ``silence()`` may have it again.
    func release() { state.withLock { release(&$0) } }

    /// Gives the terminal back for good.
    func close() {
        state.withLock { state in
            release(&state)
            state.isClosed = true
        }
        guardian.dismiss()
    }

    /// The process was stopped and goes on, without the terminal having been released maybe: a shell has put its modes back by then, or
    /// has not, and then they are not ours to put back either.
    func goesOn() {
        state.withLock { state in
            guard state.before != nil else { return }
            if device.isInForeground, device.isSilent {
                device.put(arriving)
            } else {
                state.before = nil
            }
            state.isStale = true
        }
    }

    /// Whether the screen must be drawn anew, once for each reason.
    func takeStaleness() -> Bool {
        state.withLock { state in
            defer { state.isStale = false }
            return state.isStale
        }
    }

    var size: TerminalSize { device.size }

    func show(_ text: String) {
        state.withLock { state in
            if state.before != nil { device.put(text) }
        }
    }

    /// What was typed, or what comes within a tenth of a second.
    func read() -> TerminalDevice.Input {
        // What is typed while another program has the terminal is not for this one.
        guard state.withLock({ $0.before != nil }) else {
            usleep(100_000)
            return .nothing
        }
        guard device.waitForKeys() else { return .gone }
        return state.withLock { state in
            guard state.before != nil else { return .nothing }
            return device.read()
        }
    }

    /// What was typed already, if anything was. It waits for nothing.
    func readNow() -> SecretBytes? {
        state.withLock { state in
            guard state.before != nil else { return nil }
            switch device.read() {
            case .bytes(let bytes): return bytes
            case .nothing: return nil
            case .gone: return nil
            }
        }
    }

    // MARK: With the state locked

    private func apply(_ state: inout State) -> Bool {
        guard let before = state.before else { return false }
        return device.silence(from: before, takesAllKeys: state.takesAllKeys)
    }

    private func release(_ state: inout State) {
        guard let before = state.before.take() else { return }
        device.put(leaving)
        // Another program may be in the foreground by now, and it has set its own modes.
        if device.isInForeground { device.restore(before) }
        guardian.terminalIsReleased()
    }
}
