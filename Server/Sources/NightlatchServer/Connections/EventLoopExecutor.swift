import NIOCore

/// Runs a connection's tasks on the thread that reads and writes the connection.
///
/// A request is handled from its first byte to its answer without changing threads. Blocking work runs elsewhere:
/// writes to the store have a separate thread.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop
    private let flushes: NIOLoopBound<AnswerFlushes>

    /// Creates the executor of one connection.
    ///
    /// - Parameters:
    ///   - eventLoop: The connection's event loop.
    ///   - flushes: The flushes of that event loop. The executor counts each job there.
    init(_ eventLoop: any EventLoop, flushes: NIOLoopBound<AnswerFlushes>) {
        self.eventLoop = eventLoop
        self.flushes = flushes
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            flushes.value.markJob()
        }
    }
}
