package import NIOCore

/// Batches the flushes of the answers that an event loop produces in one tick.
///
/// Sending an answer wakes the client that waits for it. If that client runs on the same machine, it takes processor
/// time that the server needs for the remaining answers.
package final class AnswerFlushes {
    /// The maximum number of connection jobs before an answer is sent, including the job that wrote the answer.
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

    /// Counts a finished job of a connection.
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
