import NIOCore
import NIOExtras
import NIOHTTP1

/// Collects the requests of one connection for the task that answers them, and writes the answers.
///
/// A request is passed on when it is complete. The server ends the connection in the following cases, and its last
/// answer carries `Connection: close`:
///
/// - The client asks to close the connection, or sends something malformed or too much.
/// - A request takes too long to arrive.
/// - The server stops. It first answers all requests that have arrived.
///
/// An idle connection is closed without an answer.
final class RequestCollector: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var intake = RequestIntake()
    private var patience: ConnectionPatience
    private let flushes: AnswerFlushes
    private let ending = ConnectionEnding()
    /// Whether a read was held back because a request waits or the last request is being answered.
    private var isReadHeld = false
    /// Why the server stopped serving the connection; nil if it did not.
    var refusal: ConnectionRefusal? { intake.refusal }

    init(patience: ConnectionPatience, flushes: AnswerFlushes) {
        self.patience = patience
        self.flushes = flushes
    }

    // MARK: For the task that answers

    /// Resumes `taker` with the next event once the channel is writable, or with nil after the last event. Only one
    /// taker may wait.
    func next(_ taker: CheckedContinuation<RequestQueue.Event?, Never>) {
        intake.queue.wait(taker)
        handOver()
    }

    /// Writes a complete answer. The last answer carries `Connection: close`.
    func write(_ answer: Answer) {
        intake.queue.markAnswered()
        guard let context else { return }
        patience.markAnswer()
        let isLast = intake.queue.isDone
        var bytes = context.channel.allocator.buffer(capacity: 0)
        bytes.write(isLast ? answer.last : answer)
        guard !isLast else { return finish(bytes) }
        context.write(wrapOutboundOut(bytes), promise: nil)
        flushes.add(context.channel)
        if intake.hasIncoming { awaitRest() }
    }

    // MARK: For the task that writes an answer in parts

    /// Writes the head of an answer whose content follows in parts
    /// ([RFC 9112, section 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1)). It is the last answer of the
    /// connection: no further request is read.
    func beginParts(_ answer: Answer) {
        intake.end()
        guard let context else { return }
        var bytes = context.channel.allocator.buffer(capacity: 0)
        bytes.write(answer.last)
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    /// Sends a part of the content, and closes the connection if the client does not read it within `idleTime`.
    ///
    /// - Returns: The end of the sending, for the task that makes the next part; nil if the connection was closed.
    func writePart(_ content: ByteBuffer, within idleTime: TimeAmount) -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        var bytes = context.channel.allocator.buffer(capacity: content.readableBytes + 16)
        bytes.writeString(String(content.readableBytes, radix: 16) + "\r\n")
        bytes.writeImmutableBuffer(content)
        bytes.writeString("\r\n")
        let (channel, sent) = (context.channel, context.eventLoop.makePromise(of: Void.self))
        let stall = context.eventLoop.scheduleTask(in: idleTime) { channel.close(promise: nil) }
        sent.futureResult.whenComplete { _ in stall.cancel() }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
        return sent.futureResult
    }

    /// Ends the content. If it is not complete, closes the connection without the last chunk: the client notices that.
    func endParts(isComplete: Bool) {
        intake.queue.markAnswered()
        guard let context else { return }
        guard isComplete else { return context.close(promise: nil) }
        finish(ByteBuffer(string: "0\r\n\r\n"))
    }

    // MARK: For the connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        checkPatience()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        disconnect()
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        intake.take(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        handOver()
        if intake.hasIncoming { awaitRest() }
        context.fireChannelReadComplete()
    }

    /// Sends everything that was written, then closes the channel.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        handOver()
        context.fireChannelWritabilityChanged()
    }

    /// Reads, unless a request waits. This slows down a client that sends faster than the server answers.
    func read(context: ChannelHandlerContext) {
        isReadHeld = intake.queue.isBusy
        if !isReadHeld { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: intake.end()
        case is ChannelShouldQuiesceEvent: intake.stop()
        default: break
        }
        handOver()
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors after the last request do not matter.
        guard !intake.queue.hasEnded else { return }
        guard let error = error as? HTTPParserError else {
            intake.fail(error)
            return context.close(promise: nil)
        }
        intake.refuse(RequestRefusal(error))
        handOver()
    }

    private func awaitRest() {
        if let context, intake.awaitRest(from: context.eventLoop.now) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
        checkPatience()
        handOver()
    }

    /// Passes on the next request, and resumes reading if possible. Called after input has arrived or an answer was
    /// written.
    private func handOver() {
        if intake.queue.isDone { finish() }
        intake.queue.handOver(isWritable: context?.channel.isWritable == true)
        guard isReadHeld, !intake.queue.isBusy else { return }
        isReadHeld = false
        context?.read()
    }

    /// Ends the connection after its last answer.
    private func finish(_ lastAnswer: ByteBuffer? = nil) {
        guard let context else { return }
        ending.begin(context, lastAnswer) { [self] in checkPatience() }
    }

    private func disconnect() {
        patience.stopChecking()
        context = nil
        intake.clear()
        handOver()
    }

    private func checkPatience() {
        guard let context else { return }
        patience.check(atEndOf: .init(intake, ending)) { [self] in
            patience.stopChecking()
            let wait = ConnectionPatience.Wait(intake, ending)
            guard patience.end(of: wait) <= context.eventLoop.now else { return checkPatience() }
            guard case .rest = wait else { return context.close(promise: nil) }
            intake.refuse(.tooSlow)
            handOver()
            checkPatience()
        }
    }
}
