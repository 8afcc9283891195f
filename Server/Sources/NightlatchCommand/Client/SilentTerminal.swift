import Foundation

/// The terminal of this process with echo off, until the value goes; then it is as it was before.
///
/// Keys come one at a time and signals are off, so that nothing can end the process while the terminal is silent, and ⌃C is
/// read as a wish to cancel.
struct SilentTerminal: ~Copyable {
    let descriptor: Int32
    private let before: termios

    init() throws {
        let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        var attributes = termios()
        guard descriptor >= 0, unsafe tcgetattr(descriptor, &attributes) == 0 else {
            _ = Foundation.close(descriptor)
            throw CommandFailure(.usage, "There is no terminal to ask for the PIN; use --pin-fd.")
        }
        let before = attributes
        let noisy = tcflag_t(ECHO | ICANON | ISIG)
        attributes.c_lflag &= ~noisy
        // The call succeeds if it could do a part of it, so the terminal is asked what became of it.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0,
            unsafe tcgetattr(descriptor, &attributes) == 0, attributes.c_lflag & noisy == 0
        else {
            var before = before
            _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &before)
            _ = Foundation.close(descriptor)
            throw CommandFailure(.usage, "The terminal does not stop showing what is typed; use --pin-fd.")
        }
        self.descriptor = descriptor
        self.before = before
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
