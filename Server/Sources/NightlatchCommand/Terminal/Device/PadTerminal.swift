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

    /// What became of a wait for keys.
    enum Input: ~Copyable {
        /// Bytes that were typed.
        case bytes(SecretBytes)
        case nothing
        /// There is no terminal any more.
        case gone
    }

    /// What is written when the terminal is silenced, and when it is released.
    private let (arriving, leaving): (String, String)
    private let descriptor: Int32
    private let guardian: PadGuardian
    private let state = Mutex(State())

    /// Opens the terminal that controls this process.
    ///
    /// - Parameters:
    ///   - arriving: Written when the terminal is silenced, also after a suspension.
    ///   - leaving: Written when it is released, in whatever way.
    /// - Throws: A mistake of usage if there is no terminal.
    init(arriving: String, leaving: String) throws(CommandFailure) {
        // Never waits in a read: the modes of the terminal may change meanwhile.
        let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw CommandFailure(.usage, "There is no terminal to ask for the PIN; use --pin-fd.")
        }
        self.descriptor = descriptor
        (self.arriving, self.leaving) = (arriving, leaving)
        guardian = PadGuardian(leaving: leaving)
    }

    deinit {
        close()
        Foundation.close(descriptor)
    }

    /// Silences the terminal if it is released and this process is in its foreground.
    ///
    /// - Throws: A mistake of usage if it does not stop showing what is typed.
    func silence() throws(CommandFailure) {
        try state.withLock { state throws(CommandFailure) in
            guard state.before == nil, !state.isClosed, isInForeground else { return }
            var attributes = termios()
            guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return }
            guardian.terminalIsSilenced()
            state.before = attributes
            guard apply(&state) else {
                release(&state)
                throw CommandFailure(.usage, "The terminal does not stop showing what is typed; use --pin-fd.")
            }
            put(arriving)
            state.isStale = true
        }
    }

    /// Makes ⌃C and its like keys to be read, and forgets what was typed before anything was asked; or lets them do again what they do
    /// otherwise, while the process works.
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
            if isInForeground, isSilent {
                put(arriving)
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

    var size: TerminalSize {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    func show(_ text: String) {
        state.withLock { state in
            if state.before != nil { put(text) }
        }
    }

    /// What was typed, or what comes within a tenth of a second.
    func read() -> Input {
        // What is typed while another program has the terminal is not for this one.
        guard state.withLock({ $0.before != nil }) else {
            usleep(100_000)
            return .nothing
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&request, 1, 100)
        if count > 0, request.revents & Int16(POLLHUP) != 0 { return .gone }
        // Some systems cannot wait for this file; then it is asked after a moment.
        if count > 0, request.revents & Int16(POLLIN) == 0 { usleep(20_000) }
        return state.withLock { state in
            guard state.before != nil else { return .nothing }
            var byteCount = 0
            let bytes = unsafe SecretBytes(byteCount: 64) { memory in
                unsafe byteCount = Foundation.read(descriptor, memory.baseAddress, memory.count)
            }
            guard byteCount > 0 else { return byteCount < 0 && errno == EIO ? .gone : .nothing }
            return .bytes(unsafe bytes.withUnsafeBytes { unsafe SecretBytes(copying: $0.prefix(byteCount)) })
        }
    }

    // MARK: With the state locked

    private var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Whether the modes are those for typing in silence, which no other program sets.
    private var isSilent: Bool {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return false }
        let times = unsafe withUnsafeBytes(of: attributes.c_cc) { unsafe [$0[Int(VMIN)], $0[Int(VTIME)]] }
        return attributes.c_lflag & tcflag_t(ECHO | ICANON) == 0 && times == [1, 1]
    }

    /// Sets the modes for typing in silence. The call succeeds if it could do a part of it, so the terminal is asked what became of it.
    private func apply(_ state: inout State) -> Bool {
        guard var attributes = state.before else { return false }
        let noisy = tcflag_t(ECHO | ECHONL | ICANON | IEXTEN) | (state.takesAllKeys ? tcflag_t(ISIG) : 0)
        attributes.c_lflag &= ~noisy
        attributes.c_iflag &= ~tcflag_t(IXON)
        // So that the guardian knows these modes from those of any other program, a shell above all.
        unsafe withUnsafeMutableBytes(of: &attributes.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 1
        }
        return unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0 && tcgetattr(descriptor, &attributes) == 0
            && attributes.c_lflag & noisy == 0
    }

    private func release(_ state: inout State) {
        guard var before = state.before.take() else { return }
        put(leaving)
        // Another program may be in the foreground by now, and it has set its own modes.
        if isInForeground { _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &before) }
        guardian.terminalIsReleased()
    }

    /// Writes all of it, unless the terminal takes nothing for a second.
    private func put(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard errno == EINTR || errno == EAGAIN, unsafe poll(&request, 1, 1000) > 0 else { return }
            }
        }
    }
}
