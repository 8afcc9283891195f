import Dispatch
import Foundation
import Synchronization

/// Runs the clean-up work once: when the process is done, or when ⌃C, a closed terminal or an operator ends it.
///
/// After an interruption, the process ends itself with the same signal, so that its parent process sees the cause.
public final class Interruption {
    private let clearing: Clearing
    // A source that is not retained receives no signals.
    private let sources: [any DispatchSourceSignal]

    /// Begins to watch for signals.
    ///
    /// - Parameter clear: The clean-up work. After a signal, it runs on another thread. It must end, and must not wait
    ///   for the thread that calls ``clearAway()``.
    public init(clearing clear: @escaping @Sendable () -> Void) {
        let clearing = Clearing(clear)
        let queue = DispatchQueue(label: "nightlatch.interruption")
        self.clearing = clearing
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // Ignoring the signal keeps the system from ending the process before the source gets the signal. This must
            // come first: on Linux, an active source installs its own handler, which must not be overwritten.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { clearing.endProcess(by: number) }
            source.activate()
            return source
        }
    }

    /// Runs the clean-up work. If a signal has arrived, this call does not return, because the process ends.
    public func clearAway() {
        clearing.clear()
    }

    private final class Clearing: Sendable {
        private let work: Mutex<(@Sendable () -> Void)?>

        init(_ work: @escaping @Sendable () -> Void) {
            self.work = Mutex(work)
        }

        func clear() {
            work.withLock { Self.runOnce(&$0) }
        }

        func endProcess(by number: Int32) -> Never {
            work.withLock { work in
                Self.runOnce(&work)
                signal(number, SIG_DFL)
                // Keeps the lock, so that `clearAway()` does not return: the process prints nothing more and ends in no
                // other way.
                // Ends: when the signal ends the process.
                while true { kill(getpid(), number) }
            }
        }

        private static func runOnce(_ work: inout (@Sendable () -> Void)?) {
            work?()
            work = nil
        }
    }
}
