import NIOCore

/// Runs a connection's tasks on the thread that reads and writes it, so that a request goes from its first byte to its answer
/// without changing threads. What waits, waits elsewhere: writing has a thread of its own.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop
    private let flushes: NIOLoopBound<AnswerFlushes>

    /// - Parameters:
    ///   - eventLoop: The connection's.
    ///   - flushes: The event loop's, which are told of each job.
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
