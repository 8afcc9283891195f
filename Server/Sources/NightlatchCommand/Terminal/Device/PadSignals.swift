import Dispatch
import Foundation
import Synchronization

/// The end of a pipe into which the handler writes the numbers of signals; -1 until it is there. It is never closed, so a handler that is
/// late writes into nothing else.
private let signalPipe = Atomic<Int32>(-1)

/// Runs in the middle of anything, so it does no more than what a handler may: it reads an atomic number that was there before any
/// handler was, and writes (POSIX.1-2017, section 2.4.3).
private func signalArrived(_ signal: Int32) {
    let error = errno
    var number = UInt8(truncatingIfNeeded: signal)
    _ = unsafe write(signalPipe.load(ordering: .relaxed), &number, 1)
    errno = error
}

/// Gives the terminal back before a signal ends or stops this process, and sees to it when the process goes on. Signals that are ignored,
/// or that somebody handles, are left alone.
///
/// A process has one handler for each signal, so this is one for the process too, and of one terminal at a time.
///
/// A thread reads the numbers of signals from a pipe. Dispatch's signal sources would not do: they block a signal in the
/// thread that it reaches, for good, so that after a stop Control-C would end nothing any more.
enum PadSignals {
    private static let terminal = Mutex<PadTerminal?>(nil)
    private static let handled = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT]

    private static let taken = Mutex<[Int32]>([])

    /// Looks after `newTerminal` from now on.
    static func attend(to newTerminal: PadTerminal) {
        terminal.withLock { $0 = newTerminal }
        guard isListening else { return }
        taken.withLock { taken in
            for number in handled {
                // Its handler until now; none is the system's way with it.
                if let before = signal(number, signalArrived) {
                    _ = signal(number, before)
                } else {
                    taken.append(number)
                }
            }
        }
    }

    /// Leaves the signals as they were, unless another terminal is attended to by now.
    static func end(_ oldTerminal: PadTerminal) {
        guard terminal.withLock({ $0 === oldTerminal }) else { return }
        taken.withLock { taken in
            for number in taken { _ = signal(number, SIG_DFL) }
            taken = []
        }
        terminal.withLock { $0 = nil }
    }

    /// Starts to listen, once.
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
        // Ends: with a byte or the end of the input; a signal alone repeats the call.
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
            // It came just before all was left as it was.
            return number == SIGCONT ? () : meetAsTheSystemDoes(number)
        }
        if number == SIGCONT { return terminal.goesOn() }
        terminal.release()
        meetAsTheSystemDoes(number)
        // Only after a stop.
        _ = signal(number, signalArrived)
        do throws(CommandFailure) {
            try terminal.silence()
        } catch {
            // Whoever asks for the next key tries again and is told.
            return
        }
    }

    /// Ends or stops the process, and returns when it goes on after a stop. This thread takes the signal, so nothing runs in between.
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
