import Dispatch
import Foundation
import NightlatchProgram
import Synchronization

/// The write end of the pipe for signal numbers; -1 until it exists. It is never closed, so a late signal handler
/// cannot write into another file.
private let signalPipe = Atomic<Int32>(-1)

/// The signal handler. It may interrupt any code, so it does only what POSIX allows (POSIX.1-2017, section 2.4.3): it
/// reads an atomic number that was set before the handler was installed, and calls `write`.
private func signalArrived(_ signal: Int32) {
    let error = errno
    var number = UInt8(truncatingIfNeeded: signal)
    _ = unsafe write(signalPipe.load(ordering: .relaxed), &number, 1)
    errno = error
}

/// Restores the terminal before a signal ends or stops this process, and silences it again when the process continues.
///
/// Signals that are ignored, or that have another handler, are not changed. A process has one handler for each signal,
/// so this type serves one terminal at a time.
///
/// A thread reads the signal numbers from a pipe. Dispatch's signal sources are not suitable: they permanently block a
/// signal in the thread that receives it, so that ⌃C would have no effect after a stop.
enum PadSignals {
    private static let terminal = Mutex<PadTerminal?>(nil)
    private static let handled = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT]

    private static let taken = Mutex<[Int32]>([])

    /// Begins to handle signals for `newTerminal`, instead of any other terminal.
    static func attend(to newTerminal: PadTerminal) {
        terminal.withLock { $0 = newTerminal }
        guard isListening else { return }
        taken.withLock { taken in
            for number in handled {
                // `signal` returns the previous handler; nil for the default action.
                if let before = signal(number, signalArrived) {
                    _ = signal(number, before)
                } else {
                    taken.append(number)
                }
            }
        }
    }

    /// Restores the default actions of the signals, unless the handlers now serve another terminal.
    static func end(_ oldTerminal: PadTerminal) {
        guard terminal.withLock({ $0 === oldTerminal }) else { return }
        taken.withLock { taken in
            for number in taken { _ = signal(number, SIG_DFL) }
            taken = []
        }
        terminal.withLock { $0 = nil }
    }

    /// Whether signals can be read. The first access starts the thread that reads them.
    private static let isListening: Bool = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (input, output) = (ends[0], ends[1])
        signalPipe.store(output, ordering: .relaxed)
        DispatchQueue(label: "nightlatch.signals").async {
            while let number = nextSignal(from: input) { meet(number) }
        }
        return true
    }()

    private static func nextSignal(from input: Int32) -> Int32? {
        var number: UInt8 = 0
        // Ends: with a byte or at the end of the input; only a signal repeats the call.
        while true {
            switch unsafe read(input, &number, 1) {
            case 1: return Int32(number)
            case 0: return nil
            default: guard errno == EINTR else { return nil }
            }
        }
    }

    private static func meet(_ number: Int32) {
        guard let terminal = terminal.withLock({ $0 }) else {
            // The signal arrived just before the default actions were restored.
            return number == SIGCONT ? () : meetAsTheSystemDoes(number)
        }
        if number == SIGCONT { return terminal.goesOn() }
        terminal.release()
        meetAsTheSystemDoes(number)
        // Reached only when the process continues after a stop.
        _ = signal(number, signalArrived)
        do throws(CommandFailure) {
            try terminal.silence()
        } catch {
            // The next request for a key tries again and reports the error.
            return
        }
    }

    /// Performs the default action, which ends or stops the process. Returns when the process continues after a stop.
    /// The signal is raised in this thread, so the action happens before `raise` returns.
    private static func meetAsTheSystemDoes(_ number: Int32) {
        _ = signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
