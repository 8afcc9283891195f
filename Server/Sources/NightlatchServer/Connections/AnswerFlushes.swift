package import NIOCore

/// Batches the flushes of the answers that an event loop produces in one tick.
///
/// Sending an answer wakes the client that waits for it. On the same machine, that client takes the processor from the
/// answers that the server has still to make.
package final class AnswerFlushes {
    /// The number of connection jobs after which an answer is sent at the latest. The answer's own job counts.
    private static let jobLimit = 8

    private let eventLoop: any EventLoop
    private var waiting: [any Channel] = []
    private var jobCount = 0

    package init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Schedules a flush of `channel`. The flush runs after the jobs that the event loop has queued now, or after
    /// `jobLimit` of them.
    package func add(_ channel: any Channel) {
        waiting.append(channel)
        if waiting.count == 1 { eventLoop.assumeIsolated().execute { [self] in flush() } }
    }

    /// Counts a job of a connection that has run.
    package func markJob() {
        guard !waiting.isEmpty else { return }
        jobCount += 1
        if jobCount == Self.jobLimit { flush() }
    }

    private func flush() {
        let channels = waiting
        waiting.removeAll()
        jobCount = 0
        for channel in channels { channel.flush() }
    }
}
