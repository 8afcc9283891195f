package import HTTPTypes
import NIOCore

/// What one connection has brought and nobody has taken yet, and the task that waits for it.
package struct RequestQueue {
    /// What a connection brings.
    package enum Event: Sendable {
        /// In one piece of memory, since it goes through several hands.
        indirect case request(HTTPRequest, RequestContent)
        /// Something that is not read to its end: it is no HTTP, is more than is read, or does not come. Nothing that comes after it is read.
        case unreadable(RequestRefusal)
    }

    /// In the order in which it came.
    private var waiting: CircularBuffer<(event: Event, byteCount: Int)> = []
    private var waitingByteCount = 0
    private var taker: CheckedContinuation<Event?, Never>?
    /// What was taken last has no answer yet.
    private(set) var isAnswering = false
    /// Nothing more comes.
    package private(set) var hasEnded = false

    package init() {}

    /// Nothing is to be read: something waits, or what follows the last request is nobody's.
    package var isBusy: Bool { !waiting.isEmpty || hasEnded && isAnswering }
    /// Whether nobody answers anything, nor is to.
    var isIdle: Bool { waiting.isEmpty && !isAnswering }
    /// Whether all is answered that ever will be.
    var isDone: Bool { hasEnded && isIdle }

    /// Takes one more of so many bytes, unless too many or too much wait: then that and what follows is dropped, and the other side learns from
    /// the last answer that it was the last.
    ///
    /// - Returns: Whether it was taken.
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

    /// `taker` waits for what comes next. One at a time.
    mutating func wait(_ taker: CheckedContinuation<Event?, Never>) {
        self.taker = taker
    }

    /// What was taken last has its answer.
    mutating func markAnswered() {
        isAnswering = false
    }

    /// Nothing more comes; what has come is still to be answered.
    mutating func end() {
        hasEnded = true
    }

    /// Nothing more comes, and nobody reads answers.
    mutating func clear() {
        waiting.removeAll()
        waitingByteCount = 0
        hasEnded = true
    }

    /// Answers the task that waits, if there is something to say: what comes next unless the answers before pile up, or that nothing
    /// more comes, even if the connection has gone meanwhile: it would wait for ever.
    ///
    /// - Parameter isWritable: Whether the answers before are few enough.
    mutating func handOver(isWritable: Bool) {
        guard let taker, waiting.isEmpty ? hasEnded : isWritable else { return }
        self.taker = nil
        let next = waiting.popFirst()
        waitingByteCount -= next?.byteCount ?? 0
        isAnswering = next != nil
        taker.resume(returning: next?.event)
    }
}
