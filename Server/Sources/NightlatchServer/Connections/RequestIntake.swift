import NIOCore
import NIOHTTP1

/// Builds requests from the parts that one connection delivers.
struct RequestIntake {
    var queue = RequestQueue()
    /// The request that is being read.
    private var incoming: IncomingRequest?
    /// Whether the request that is being read is the last.
    private var isStopping = false
    /// Why the server stopped serving the connection; nil if it did not, or if the client ended the connection.
    private(set) var refusal: ConnectionRefusal?

    /// The time at which the server began to wait for the rest of a request; nil if it does not wait.
    var restAwaitedSince: NIODeadline? { incoming?.awaitedSince }
    /// Whether a request is being read.
    var hasIncoming: Bool { incoming != nil }

    mutating func take(_ part: HTTPServerRequestPart) {
        guard !queue.hasEnded else { return }
        switch part {
        case .head(let head):
            incoming = IncomingRequest(head)
            if incoming == nil { refuse(.malformed) }
        case .body(let bytes): if incoming?.append(bytes) == false { addIncoming() }
        case .end: addIncoming()
        }
    }

    /// Records that the server waits for the rest of the request that is being read.
    ///
    /// - Returns: Whether to send the status 100, so that the client sends the body.
    mutating func awaitRest(from now: NIODeadline) -> Bool {
        guard incoming?.wait(from: now) != false else {
            addIncoming()
            return false
        }
        guard incoming?.awaitsContinue == true, queue.isIdle else { return false }
        incoming?.markContinued()
        return true
    }

    /// Queues a refusal behind the requests that wait, and ends the queue.
    mutating func refuse(_ refusal: RequestRefusal) {
        add(.unreadable(refusal))
        end()
    }

    /// Records an error after which the connection cannot be read.
    mutating func fail(_ error: any Error) {
        refusal = ConnectionRefusal(error)
    }

    /// Ends the queue. Complete requests are still answered; a partial one is dropped.
    mutating func end() {
        queue.end()
        incoming = nil
    }

    /// Takes no new request. A request that is being read may still arrive within its time limit, and is answered.
    mutating func stop() {
        isStopping = true
        if incoming == nil { queue.end() }
    }

    /// Ends the queue and drops everything. Used when no later answer can be sent: the connection has closed, or the
    /// answer that is being written is its last.
    mutating func clear() {
        queue.clear()
        incoming = nil
    }

    /// Queues the request that is being read. It is complete, or its body is too long.
    private mutating func addIncoming() {
        guard let request = incoming else { return }
        incoming = nil
        add(request.event, byteCount: request.byteCount)
        if request.isLast || isStopping { queue.end() }
    }

    private mutating func add(_ event: RequestQueue.Event, byteCount: Int = 0) {
        if !queue.add(event, byteCount: byteCount) { refusal = .waitingRequests }
    }
}
