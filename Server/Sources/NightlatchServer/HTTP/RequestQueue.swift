import HTTPTypes
import Hummingbird
import NIOCore

/// What one connection has brought and nobody has taken yet, and the task that waits for it.
struct RequestQueue {
    /// What a connection brings.
    enum Event: Sendable {
        case request(HTTPRequest, RequestBody)
        /// Something that is no HTTP, or has more headers than are read; nothing that comes after it is read.
        case unreadable(HTTPResponse.Status)
    }

    /// In the order in which it came.
    private var waiting: CircularBuffer<Event> = []
    private var taker: CheckedContinuation<Event?, Never>?
    /// What was taken last has no answer yet.
    private(set) var isAnswering = false
    /// Nothing more comes.
    private(set) var hasEnded = false

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ event: Event?) {
        if let event, !hasEnded { waiting.append(event) }
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
        hasEnded = true
    }

    /// Answers the task that waits, if there is something to say. Once nothing more comes it is told so even if the connection has gone
    /// meanwhile: it would wait for ever.
    ///
    /// - Parameter isWritable: Whether the answers before are on their way.
    mutating func handOver(isWritable: Bool) {
        guard let taker, hasEnded || isWritable && !waiting.isEmpty else { return }
        self.taker = nil
        let event = waiting.popFirst()
        isAnswering = event != nil
        taker.resume(returning: event)
    }
}
