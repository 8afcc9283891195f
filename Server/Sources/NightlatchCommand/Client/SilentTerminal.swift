import Foundation

/// The terminal of this process with echo off, until the value goes; then it is as it was before.
///
/// Keys come one at a time and signals are off, so that nothing can end the process while the terminal is silent, and ⌃C is
/// read as a wish to cancel.
struct SilentTerminal: ~Copyable {
    let descriptor: Int32
    private let before: termios

    init() throws {
        descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        var attributes = termios()
        guard descriptor >= 0, unsafe tcgetattr(descriptor, &attributes) == 0 else {
            throw CommandFailure(.usage, "There is no terminal to ask for the PIN; use --pin-fd.")
        }
        before = attributes
        attributes.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes)
    }

    deinit {
        var before = before
        unsafe tcsetattr(descriptor, TCSAFLUSH, &before)
        close(descriptor)
    }

    borrowing func show(_ text: String) {
        _ = unsafe write(descriptor, text, text.utf8.count)
    }
}
