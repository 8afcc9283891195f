import HTTPTypes
import Hummingbird
import NIOCore

/// A request that is being read.
struct IncomingRequest {
    private let head: HTTPRequest
    /// How much of the body is kept. What is longer has one byte more, by which it is known, and the rest is forgotten.
    private let bodyLimit: Int
    private var body = ByteBuffer()
    /// Where the body goes if the request was handed over without it.
    private var destination: AsyncThrowingStream<ByteBuffer, any Error>.Continuation?
    /// Whether all of the body that anybody reads was handed over.
    private var isComplete = false

    init(head: HTTPRequest, bodyLimit: Int) {
        self.head = head
        self.bodyLimit = bodyLimit
    }

    /// Whether somebody has the request already, with its body or without.
    var isHandedOver: Bool { isComplete || destination != nil }

    /// Whether somebody has the request and waits for its body.
    var isAwaited: Bool { destination != nil && !isComplete }

    /// Takes a piece of the body. Returns the request if that is as much of it as is kept, and nobody has it yet.
    mutating func append(_ part: ByteBuffer) -> RequestQueue.Event? {
        guard !isComplete else { return nil }
        let rest = bodyLimit + 1 - body.readableBytes
        let kept = part.getSlice(at: part.readerIndex, length: min(part.readableBytes, rest)) ?? part
        if body.readableBytes == 0 {
            body = kept
        } else {
            body.writeImmutableBuffer(kept)
        }
        return kept.readableBytes == rest ? complete() : nil
    }

    /// Nothing more of the body is kept. Returns the request, unless somebody has it already.
    mutating func complete() -> RequestQueue.Event? {
        guard !isComplete else { return nil }
        isComplete = true
        guard let destination else { return .request(head, RequestBody(buffer: body)) }
        destination.yield(body)
        destination.finish()
        return nil
    }

    /// The request with a body that is still to come; nil if somebody has the request already.
    mutating func handOverEarly() -> RequestQueue.Event? {
        guard !isHandedOver else { return nil }
        let (stream, destination) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        self.destination = destination
        return .request(head, RequestBody(asyncSequence: stream))
    }

    /// The rest of the body never comes.
    func fail(_ error: any Error) {
        destination?.finish(throwing: error)
    }
}
