import Dispatch
import Foundation
import Synchronization

/// Clears away, once, what a process would otherwise leave behind: when it is done, or when ⌃C, a closed terminal or an operator
/// ends it. A process that was interrupted then ends by the same signal, so that whoever started it can tell.
public final class Interruption {
    private let clearing: Clearing
    // A source that nobody holds hears nothing.
    private let sources: [any DispatchSourceSignal]

    /// Watches from now on.
    ///
    /// - Parameter clear: What to do, on another thread if a signal comes. It must end, and must not wait for the thread that calls
    ///   ``clearAway()``.
    public init(clearing clear: @escaping @Sendable () -> Void) {
        let clearing = Clearing(clear)
        let queue = DispatchQueue(label: "nightlatch.interruption")
        self.clearing = clearing
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // Else the system would end the process before the source hears of it. It comes first: on Linux an active source puts
            // a handler of its own in this place, and must not lose it again.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { clearing.endProcess(by: number) }
            source.activate()
            return source
        }
    }

    /// Clears away, unless a signal has come: then it waits for the end, which is near.
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
                // Still under the lock, so that the process says nothing more and ends in no other way.
                // Ends: with the process, which the signal ends.
                while true { kill(getpid(), number) }
            }
        }

        private static func runOnce(_ work: inout (@Sendable () -> Void)?) {
            work?()
            work = nil
        }
    }
}
