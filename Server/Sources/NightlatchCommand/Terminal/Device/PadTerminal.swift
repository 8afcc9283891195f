import Foundation
import Nightlatch
import NightlatchProgram
import Synchronization

/// The terminal of this process while the process asks for a PIN. A silenced terminal does not show typed characters. A
/// released terminal has its previous modes again.
///
/// The terminal is silenced only while this process is in the foreground. It is released when it is closed, when a
/// signal suspends or ends the process (``PadSignals``), and when the process dies in any other way (``PadGuardian``).
/// While it is released, reading and writing do nothing.
final class PadTerminal: Sendable {
    private struct State {
        /// The modes of the terminal before it was silenced; nil while it is released.
        var before: termios?
        var isClosed = false
        /// Whether the screen may differ from what was drawn.
        var isStale = true
        /// Whether the keys that send signals are read like any other key.
        var takesAllKeys = false
    }

    /// The texts to write when the terminal is silenced and when it is released.
    private let (arriving, leaving): (String, String)
    private let device: TerminalDevice
    private let guardian: PadGuardian
    private let state = Mutex(State())

    /// Opens a terminal.
    ///
    /// - Parameters:
    ///   - path: The terminal's file; `/dev/tty` is the controlling terminal of this process.
    ///   - arriving: The text to write when the terminal is silenced, also after a suspension.
    ///   - leaving: The text to write when it is released for any reason.
    /// - Throws: A usage error if there is no terminal.
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

    /// Silences the terminal if it is released and this process is in the foreground.
    ///
    /// - Returns: Whether the terminal was released before and is silenced now.
    /// - Throws: A usage error if the terminal's echo cannot be turned off.
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
                throw CommandFailure(.usage, "The terminal cannot hide typed characters; use --pin-fd.")
            }
            device.put(arriving)
            state.isStale = true
            return true
        }
    }

    /// Sets whether ⌃C and the other signal keys are read as keys. If not, they send signals to the process.
    func takeAllKeys(_ takesAllKeys: Bool) {
        state.withLock { state in
            state.takesAllKeys = takesAllKeys
            _ = state.before == nil || apply(&state)
        }
    }

    /// Restores the terminal. ``silence()`` can silence it again.
    func release() { state.withLock { release(&$0) } }

    /// Restores the terminal. After that, ``silence()`` has no effect.
    func close() {
        state.withLock { state in
            release(&state)
            state.isClosed = true
        }
        guardian.dismiss()
    }

    /// Handles the continuation of the process after a stop. If the terminal was not released before the stop, a shell
    /// may have set its own modes. Those are kept.
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

    /// Returns whether the screen must be drawn again, and clears that state.
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

    /// Reads typed input. Waits for it up to a tenth of a second.
    func read() -> TerminalDevice.Input {
        // Input that is typed while another program has the terminal is not for this process.
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

    /// Reads typed input without waiting; nil if there is none.
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
        // If another program is in the foreground now, it has set its own modes.
        if device.isInForeground { device.restore(before) }
        guardian.terminalIsReleased()
    }
}
