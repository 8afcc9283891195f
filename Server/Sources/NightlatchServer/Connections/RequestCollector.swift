import NIOCore
import NIOExtras
import NIOHTTP1

/// Collects the requests of one connection, for one task to answer one after the other, and writes its answers.
///
/// A request is handed over once it has come whole. The last answer says that it is the last, and the connection is closed when that is on
/// its way; also when it keeps the server waiting for too long, and when the server stops and all that has come is answered.
final class RequestCollector: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var intake = RequestIntake()
    private var patience: ConnectionPatience
    private let flushes: AnswerFlushes
    private let ending = ConnectionEnding()
    /// The connection would be read from, were there not enough to do already.
    private var isReadHeld = false
    /// Why the connection is served no further.
    var refusal: ConnectionRefusal? { intake.refusal }

    init(patience: ConnectionPatience, flushes: AnswerFlushes) {
        self.patience = patience
        self.flushes = flushes
    }

    // MARK: For the task that answers

    /// Gives `taker` what comes next, when the answers before it do not pile up; nil once nothing more comes. One at a time.
    func next(_ taker: CheckedContinuation<RequestQueue.Event?, Never>) {
        intake.queue.wait(taker)
        handOver()
    }

    /// Writes an answer whole. The last one says so.
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

    /// What was written is sent before all is closed.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        handOver()
        context.fireChannelWritabilityChanged()
    }

    /// Holds back the reading of more while something waits: whoever sends faster than is answered is to feel it.
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
        // What comes after the last request is nobody's, whatever it is.
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

    /// Goes on with what there is to do after something has come, or was answered.
    private func handOver() {
        if intake.queue.isDone { finish() }
        intake.queue.handOver(isWritable: context?.channel.isWritable == true)
        guard isReadHeld, !intake.queue.isBusy else { return }
        isReadHeld = false
        context?.read()
    }

    /// All is answered that ever will be.
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
