import Foundation
import Nightlatch

/// A terminal's file, and what the system lets a program do with it. It remembers nothing.
struct TerminalDevice: Sendable {
    /// What became of a wait for keys.
    enum Input: ~Copyable {
        /// Bytes that were typed.
        case bytes(SecretBytes)
        case nothing
        /// There is no terminal any more.
        case gone
    }

    private let descriptor: Int32

    /// Nil if there is none.
    init?(path: String) {
        // Never waits in a read: the modes of the terminal may change meanwhile.
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
    }

    func close() { Foundation.close(descriptor) }

    /// Whether this process may use it. One that does not control the process has no foreground and no background there.
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

    /// Those that it has now.
    var modes: termios? {
        var modes = termios()
        return unsafe tcgetattr(descriptor, &modes) == 0 ? modes : nil
    }

    /// Whether its modes are those for typing in silence, which no other program sets.
    var isSilent: Bool {
        guard let modes else { return false }
        let times = unsafe withUnsafeBytes(of: modes.c_cc) { unsafe [$0[Int(VMIN)], $0[Int(VTIME)]] }
        return modes.c_lflag & tcflag_t(ECHO | ICANON) == 0 && times == [1, 1]
    }

    /// Sets the modes for typing in silence. The call succeeds if it could do a part of it, so the terminal is asked what became of it. What
    /// was typed before stays to be read: to forget a part of a PIN is to take the rest for a PIN.
    ///
    /// - Parameters:
    ///   - before: What they are made of.
    ///   - takesAllKeys: Whether keys that make signals are keys like any other.
    func silence(from before: termios, takesAllKeys: Bool) -> Bool {
        var silent = before
        let noisy = tcflag_t(ECHO | ECHONL | ICANON | IEXTEN) | (takesAllKeys ? tcflag_t(ISIG) : 0)
        silent.c_lflag &= ~noisy
        silent.c_iflag &= ~tcflag_t(IXON)
        // So that the guardian knows these modes from those of any other program, a shell above all.
        unsafe withUnsafeMutableBytes(of: &silent.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 1
        }
        guard unsafe tcsetattr(descriptor, TCSANOW, &silent) == 0, let modes else { return false }
        return modes.c_lflag & noisy == 0
    }

    /// Sets other modes again. What was typed and not read is forgotten, so that no digit of a PIN reaches the next program.
    func restore(_ modes: termios) {
        var modes = modes
        _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &modes)
    }

    // MARK: Keys and text

    /// Waits a tenth of a second for keys.
    ///
    /// - Returns: Whether there is a terminal still.
    func waitForKeys() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&request, 1, 100)
        if count > 0, request.revents & Int16(POLLHUP) != 0 { return false }
        // Some systems cannot wait for this file; then it is asked after a moment.
        if count > 0, request.revents & Int16(POLLIN) == 0 { usleep(20_000) }
        return true
    }

    /// What was typed, if anything was.
    func read() -> Input {
        var byteCount = 0
        let bytes = unsafe SecretBytes(byteCount: 64) { memory in
            unsafe byteCount = Foundation.read(descriptor, memory.baseAddress, memory.count)
        }
        guard byteCount > 0 else { return byteCount < 0 && errno == EIO ? .gone : .nothing }
        return .bytes(unsafe bytes.withUnsafeBytes { unsafe SecretBytes(copying: $0.prefix(byteCount)) })
    }

    /// Writes all of it, unless the terminal takes nothing for a second.
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
