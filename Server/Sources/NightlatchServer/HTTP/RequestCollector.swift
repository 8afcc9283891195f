import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Collects the requests of one connection, for one task to answer one after the other, and writes its answers.
///
/// A request that has come whole in one piece is handed over with its body. One that has not is handed over at once, and its body
/// when that has come: whoever sends slowly counts among the requests under way.
///
/// The connection is closed when it has brought nothing for a time, unless a request is being answered, and when the server stops and
/// all that has come is answered.
final class RequestCollector: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let bodyLimit: Int
    private let idleTimeout: TimeAmount

    private var context: ChannelHandlerContext?
    private var incoming: IncomingRequest?
    private var queue = RequestQueue()
    /// The server stops.
    private var isStopping = false
    /// The connection would be read from, did not something wait already.
    private var isReadHeld = false
    private var lastActivity = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?

    init(bodyLimit: Int, idleTimeout: TimeAmount) {
        self.bodyLimit = bodyLimit
        self.idleTimeout = idleTimeout
    }

    // MARK: For the task that answers

    /// Gives `taker` what comes next, when the answers before it are on their way; nil once nothing more comes. One at a time.
    func next(_ taker: CheckedContinuation<RequestQueue.Event?, Never>) {
        queue.wait(taker)
        handOver()
    }

    /// Writes an answer whole.
    func write(_ head: HTTPResponse, body: ByteBuffer) {
        queue.markAnswered()
        guard let context else { return }
        lastActivity = .now()
        var bytes = context.channel.allocator.buffer(capacity: 0)
        bytes.write(head, body: body)
        guard isStopping, isIdle else { return context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
        end(ChannelError.eof)
        writeLast(bytes, closing: .all)
    }

    /// Nothing more is answered.
    func finish() {
        queue.clear()
        end(ChannelError.outputClosed)
        writeLast(ByteBuffer(), closing: .output)
    }

    /// Nothing more is taken: what is under way is the last.
    func cancel() {
        isStopping = true
        queue.clear()
        end(ChannelError.inputClosed)
        if isIdle { context?.close(promise: nil) }
    }

    /// Closes once all that was written is with the system: to close at once would drop it.
    private func writeLast(_ bytes: ByteBuffer, closing mode: CloseMode) {
        guard let context else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(mode: mode, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
    }

    // MARK: For the connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        checkIdleness(after: idleTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idleCheck?.cancel()
        disconnect()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !queue.hasEnded else { return }
        lastActivity = .now()
        switch unwrapInboundIn(data) {
        case .head(let head):
            do {
                incoming = IncomingRequest(
                    head: try HTTPRequest(head, secure: false, splitCookie: false), bodyLimit: bodyLimit)
            } catch {
                refuse(.badRequest, error)
            }
        case .body(let part): queue.add(incoming?.append(part))
        case .end:
            queue.add(incoming?.complete())
            incoming = nil
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        queue.add(incoming?.handOverEarly())
        handOver()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        handOver()
        context.fireChannelWritabilityChanged()
    }

    /// Holds back the reading of more while something waits: whoever sends faster than is answered is to feel it.
    func read(context: ChannelHandlerContext) {
        isReadHeld = !queue.isEmpty
        if !isReadHeld { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: end(ChannelError.inputClosed)
        case is ChannelShouldQuiesceEvent:
            isStopping = true
            if isIdle { context.close(promise: nil) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: refuse(.requestHeaderFieldsTooLarge, error)
        case is HTTPParserError: refuse(.badRequest, error)
        default: context.close(promise: nil)
        }
    }

    /// Reads nothing more. A request that somebody has already has its answer from there, and no second one.
    private func refuse(_ status: HTTPResponse.Status, _ error: any Error) {
        if incoming?.isHandedOver != true { queue.add(.unreadable(status)) }
        end(error)
    }

    private func handOver() {
        queue.handOver(isWritable: context?.channel.isWritable == true)
        guard isReadHeld, queue.isEmpty else { return }
        isReadHeld = false
        context?.read()
    }

    // MARK: The end

    /// Whether nothing is being answered, waits to be, or is on its way to be.
    private var isIdle: Bool { !queue.isAnswering && queue.isEmpty && incoming?.isHandedOver != false }

    /// Nothing more comes; what has come is answered.
    private func end(_ error: any Error) {
        queue.end()
        incoming?.fail(error)
        incoming = nil
        handOver()
    }

    /// Nothing more comes, and nobody reads answers.
    private func disconnect() {
        queue.clear()
        end(ChannelError.eof)
    }

    private func checkIdleness(after time: TimeAmount) {
        idleCheck = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let rest = lastActivity + idleTimeout - .now()
            if queue.isAnswering, incoming?.isAwaited != true {
                checkIdleness(after: idleTimeout)
            } else if rest > .zero {
                checkIdleness(after: rest)
            } else {
                context?.close(promise: nil)
            }
        }
    }
}
