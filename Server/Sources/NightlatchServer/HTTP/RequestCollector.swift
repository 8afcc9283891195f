import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Collects the requests of one connection, for one task to answer one after the other, and writes its answers.
///
/// A request that has come whole in one piece is handed over with its body. One that has not is handed over at once, and its body
/// when that has come: whoever sends slowly counts among the requests under way.
final class RequestCollector: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What a connection brings.
    enum Event: Sendable {
        case request(HTTPRequest, RequestBody)
        /// Something that is no HTTP; nothing that comes after it is read.
        case unreadable
    }

    /// The request that is being read.
    private struct Incoming {
        let head: HTTPRequest
        var body = ByteBuffer()
        /// Where the body goes if the request was handed over without it.
        var destination: AsyncThrowingStream<ByteBuffer, any Error>.Continuation?
        /// Whether all of the body that anybody reads was handed over.
        var isComplete = false
    }

    /// How much of a body is kept. What is longer has one byte more, by which it is known, and the rest is read and forgotten.
    private let bodyLimit: Int

    private var context: ChannelHandlerContext?
    private var incoming: Incoming?
    /// What waits to be taken, in the order in which it came.
    private var waiting: CircularBuffer<Event> = []
    private var taker: CheckedContinuation<Event?, Never>?
    /// Nothing more comes.
    private var hasEnded = false
    /// The connection would be read from, did not something wait already.
    private var isReadHeld = false

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    // MARK: For the task that answers

    /// Gives `taker` what comes next, when the answers before it are on their way; nil once nothing more comes. One at a time.
    func next(_ taker: CheckedContinuation<Event?, Never>) {
        self.taker = taker
        handOver()
    }

    /// Writes an answer whole.
    func write(_ head: HTTPResponse, body: ByteBuffer) {
        guard let context else { return }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Nothing more is answered.
    func finish() {
        end(ChannelError.outputClosed)
        context?.close(mode: .output, promise: nil)
    }

    // MARK: For the connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        disconnect()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): incoming = Incoming(head: head)
        case .body(let part): append(part)
        case .end:
            complete()
            incoming = nil
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let incoming, !incoming.isComplete, incoming.destination == nil {
            let (stream, destination) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
            self.incoming?.destination = destination
            waiting.append(.request(incoming.head, RequestBody(asyncSequence: stream)))
        }
        handOver()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        handOver()
        context.fireChannelWritabilityChanged()
    }

    /// Holds back the reading of more while something waits: whoever sends faster than is answered is to feel it.
    func read(context: ChannelHandlerContext) {
        isReadHeld = !waiting.isEmpty
        if !isReadHeld { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end(ChannelError.inputClosed) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.close(promise: nil) }
        if !hasEnded { waiting.append(.unreadable) }
        end(error)
    }

    // MARK: Bodies

    private func append(_ part: ByteBuffer) {
        // Always in its place: a copy of what has come would be made for each piece.
        guard let length = incoming?.body.readableBytes, incoming?.isComplete == false else { return }
        let rest = bodyLimit + 1 - length
        let kept = part.getSlice(at: part.readerIndex, length: min(part.readableBytes, rest)) ?? part
        if length == 0 {
            incoming?.body = kept
        } else {
            incoming?.body.writeImmutableBuffer(kept)
        }
        if kept.readableBytes == rest { complete() }
    }

    private func complete() {
        guard let whole = incoming, !whole.isComplete else { return }
        incoming?.isComplete = true
        if let destination = whole.destination {
            destination.yield(whole.body)
            destination.finish()
        } else {
            waiting.append(.request(whole.head, RequestBody(buffer: whole.body)))
        }
    }

    // MARK: The end

    /// Nothing more comes; what has come is answered.
    private func end(_ error: any Error) {
        hasEnded = true
        incoming?.destination?.finish(throwing: error)
        incoming = nil
        handOver()
    }

    /// Nothing more comes, and nobody reads answers.
    private func disconnect() {
        waiting.removeAll()
        end(ChannelError.eof)
    }

    /// Answers the task that waits, if there is something to say. Once nothing more comes it is told so even if the connection has gone
    /// meanwhile: it would wait for ever.
    private func handOver() {
        guard let taker else { return }
        if !hasEnded {
            guard !waiting.isEmpty, let context, context.channel.isWritable else { return }
        }
        self.taker = nil
        taker.resume(returning: waiting.popFirst())
        if isReadHeld, waiting.isEmpty {
            isReadHeld = false
            context?.read()
        }
    }
}
