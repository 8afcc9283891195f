import NIOCore
import NIOHTTP1

/// Makes requests of what one connection brings.
struct RequestIntake {
    var queue = RequestQueue()
    /// The request that has begun to come.
    private var incoming: IncomingRequest?
    /// A request that has begun to come is the last.
    private var isStopping = false
    /// Why the connection is served no further, if that is not what the other side wants.
    private(set) var refusal: ConnectionRefusal?

    /// Since when the rest of a request is waited for; nil if none is.
    var restAwaitedSince: NIODeadline? { incoming?.awaitedSince }
    /// Whether a request has begun to come.
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

    /// The rest of a request that has begun to come is waited for.
    ///
    /// - Returns: Whether the other side is to be told that it may send the body.
    mutating func awaitRest(from now: NIODeadline) -> Bool {
        guard incoming?.wait(from: now) != false else {
            addIncoming()
            return false
        }
        guard incoming?.awaitsContinue == true, queue.isIdle else { return false }
        incoming?.markContinued()
        return true
    }

    /// Nothing more comes: what comes is refused, in its turn.
    mutating func refuse(_ refusal: RequestRefusal) {
        add(.unreadable(refusal))
        end()
    }

    /// What the connection brings cannot be read.
    mutating func fail(_ error: any Error) {
        refusal = ConnectionRefusal(error)
    }

    /// Nothing more comes; what has come whole is answered.
    mutating func end() {
        queue.end()
        incoming = nil
    }

    /// No request is begun any more; one that has begun to come has its time, and is answered.
    mutating func stop() {
        isStopping = true
        if incoming == nil { queue.end() }
    }

    /// Nothing more comes, and nobody reads answers.
    mutating func clear() {
        queue.clear()
        incoming = nil
    }

    /// The request that has begun to come is there, or is read no further.
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
