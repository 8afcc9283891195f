package import NIOCore

/// Sends together the answers that an event loop makes in one go.
///
/// An answer that is sent wakes whoever waits for it, and that program takes the processor from the answers that are still to be made.
package final class AnswerFlushes {
    /// After how many jobs of connections, its own among them, an answer is sent at the latest.
    private static let jobLimit = 8

    private let eventLoop: any EventLoop
    private var waiting: [any Channel] = []
    private var jobCount = 0

    package init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// What was written to `channel` is sent once the jobs have run that the event loop has now, or enough of them.
    package func add(_ channel: any Channel) {
        waiting.append(channel)
        if waiting.count == 1 { eventLoop.assumeIsolated().execute { [self] in flush() } }
    }

    /// A job of a connection has run.
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
