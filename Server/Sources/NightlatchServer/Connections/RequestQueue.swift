package import HTTPTypes
import NIOCore

/// The complete requests of one connection that wait for an answer, and the task that takes them.
package struct RequestQueue {
    /// An event of a connection.
    package enum Event: Sendable {
        /// A complete request, and whether its version is at least HTTP/1.1. Indirect, so that only a pointer is copied
        /// when the event is passed on.
        indirect case request(HTTPRequest, RequestContent, isCurrent: Bool)
        /// A request that is not read to its end: it is malformed, too large or too slow. Nothing after it is read.
        case unreadable(RequestRefusal)
    }

    /// The events that wait, in the order of arrival.
    private var waiting: CircularBuffer<(event: Event, byteCount: Int)> = []
    private var waitingByteCount = 0
    private var taker: CheckedContinuation<Event?, Never>?
    /// Whether the event that was taken last has no answer yet.
    private(set) var isAnswering = false
    /// Whether no more events are accepted.
    package private(set) var hasEnded = false

    package init() {}

    /// Whether the connection should not be read: an event waits, or the last request is being answered.
    package var isBusy: Bool { !waiting.isEmpty || hasEnded && isAnswering }
    /// Whether no event waits and none is being answered.
    var isIdle: Bool { waiting.isEmpty && !isAnswering }
    /// Whether the last answer has been given.
    var isDone: Bool { hasEnded && isIdle }

    /// Adds an event of `byteCount` bytes.
    ///
    /// If too many events or bytes wait, the queue ends: this event and all later ones are dropped, and the last answer
    /// carries `Connection: close`.
    ///
    /// - Returns: Whether the event was added.
    package mutating func add(_ event: Event, byteCount: Int = 0) -> Bool {
        guard !hasEnded else { return false }
        guard waiting.count < RequestLimits.waitingRequestCount,
            waiting.isEmpty || waitingByteCount + byteCount <= RequestLimits.waitingByteCount
        else {
            hasEnded = true
            return false
        }
        waiting.append((event, byteCount))
        waitingByteCount += byteCount
        return true
    }

    /// Sets the task that waits for the next event. Only one task may wait.
    mutating func wait(_ taker: CheckedContinuation<Event?, Never>) {
        self.taker = taker
    }

    /// Records that the event that was taken last has its answer.
    mutating func markAnswered() {
        isAnswering = false
    }

    /// Ends the queue. Events that wait are still answered.
    mutating func end() {
        hasEnded = true
    }

    /// Ends the queue and drops the events that wait. Used when no later answer can be sent.
    mutating func clear() {
        waiting.removeAll()
        waitingByteCount = 0
        hasEnded = true
    }

    /// Resumes the waiting task if it may take an event, or if the queue has ended and is empty.
    ///
    /// After the connection has closed, the task is resumed with nil: otherwise it would wait forever.
    ///
    /// - Parameter isWritable: Whether the channel accepts more answers. If not, the client has not yet read the
    ///   earlier answers, and the task gets no event.
    mutating func handOver(isWritable: Bool) {
        guard let taker, waiting.isEmpty ? hasEnded : isWritable else { return }
        self.taker = nil
        let next = waiting.popFirst()
        waitingByteCount -= next?.byteCount ?? 0
        isAnswering = next != nil
        taker.resume(returning: next?.event)
    }
}
