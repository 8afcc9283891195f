import Foundation
import Nightlatch

/// A terminal's file and the system calls on it. It has no state.
struct TerminalDevice: Sendable {
    /// The result of reading keys.
    enum Input: ~Copyable {
        /// The bytes that were typed.
        case bytes(SecretBytes)
        case nothing
        /// The terminal no longer exists.
        case gone
    }

    private let descriptor: Int32

    /// Returns nil if the terminal cannot be opened.
    init?(path: String) {
        // Non-blocking, because the modes of the terminal may change during a read.
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
    }

    func close() { Foundation.close(descriptor) }

    /// Whether this process may use the terminal. This is always true for a terminal that does not control the process,
    /// because it has no foreground and background.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group == getpgrp() || group == -1 && errno == ENOTTY
    }

    var size: TerminalSize {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    // MARK: Modes

    /// The current modes.
    var modes: termios? {
        var modes = termios()
        return unsafe tcgetattr(descriptor, &modes) == 0 ? modes : nil
    }

    /// Whether the modes are those for silent typing, which no other program sets.
    var isSilent: Bool {
        guard let modes else { return false }
        let times = unsafe withUnsafeBytes(of: modes.c_cc) { unsafe [$0[Int(VMIN)], $0[Int(VTIME)]] }
        return modes.c_lflag & tcflag_t(ECHO | ICANON) == 0 && times == [1, 1]
    }

    /// Sets the modes for silent typing, and returns whether they are in effect.
    ///
    /// `tcsetattr` also succeeds if it could set only some of the modes, so the modes are read back. Earlier input
    /// stays in the buffer: if the first part of a PIN were discarded, the rest would be taken for another PIN.
    ///
    /// - Parameters:
    ///   - before: The modes to start from.
    ///   - takesAllKeys: Whether the keys that send signals are read like any other key.
    func silence(from before: termios, takesAllKeys: Bool) -> Bool {
        var silent = before
        let noisy = tcflag_t(ECHO | ECHONL | ICANON | IEXTEN) | (takesAllKeys ? tcflag_t(ISIG) : 0)
        silent.c_lflag &= ~noisy
        silent.c_iflag &= ~tcflag_t(IXON)
        // The guardian recognises a pad's modes by these values, which differ from those of other programs, especially
        // shells.
        unsafe withUnsafeMutableBytes(of: &silent.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 1
        }
        guard unsafe tcsetattr(descriptor, TCSANOW, &silent) == 0, let modes else { return false }
        return modes.c_lflag & noisy == 0
    }

    /// Sets the modes to `modes`. Discards unread input, so that no digit of a PIN reaches the next program.
    func restore(_ modes: termios) {
        var modes = modes
        _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &modes)
    }

    // MARK: Keys and text

    /// Waits up to a tenth of a second for keys.
    ///
    /// - Returns: Whether the terminal still exists.
    func waitForKeys() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&request, 1, 100)
        if count > 0, request.revents & Int16(POLLHUP) != 0 { return false }
        // Some systems cannot poll this file. In that case, waits a moment before the read.
        if count > 0, request.revents & Int16(POLLIN) == 0 { usleep(20_000) }
        return true
    }

    /// Reads typed input without waiting.
    func read() -> Input {
        var byteCount = 0
        let bytes = unsafe SecretBytes(byteCount: 64) { memory in
            unsafe byteCount = Foundation.read(descriptor, memory.baseAddress, memory.count)
        }
        guard byteCount > 0 else { return byteCount < 0 && errno == EIO ? .gone : .nothing }
        return .bytes(unsafe bytes.withUnsafeBytes { unsafe SecretBytes(copying: $0.prefix(byteCount)) })
    }

    /// Writes all of `text`, unless the terminal accepts nothing for a second.
    func put(_ text: String) {
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
