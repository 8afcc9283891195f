import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection. One task on its event loop answers its requests one after the other.
///
/// It replaces Hummingbird's `HTTP1Channel`, which streams bodies. Here the bodies of requests and of almost all
/// answers are bounded, so a request is passed on in one step, and an answer is written in one step. With
/// `HTTP1Channel` a login costs 18 % more CPU time (docs/decisions/http.md). An answer whose body has no length, such
/// as an export, is written in parts.
package struct RequestChannel<Responder: RequestResponder>: ServerChildChannel {
    private let responder: Responder
    private let dates = HTTPDates()
    private let names = RequestNames()
    private let flushes = AnswerFlushesOfLoops()
    private let clientAddress: ClientAddress
    private let connectionLimit: ConnectionLimit
    private let idleTime: TimeAmount
    private let arrivalTime: TimeAmount

    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
        let collector: NIOLoopBound<RequestCollector>
        /// The flushes of the connection's event loop.
        package let flushes: NIOLoopBound<AnswerFlushes>
    }

    /// Creates the channel of a server's connections.
    ///
    /// - Parameters:
    ///   - responder: Answers the requests.
    ///   - limits: The limits on connections and requests.
    ///   - idleTime: How long a connection may stay open without a request.
    package init(responder: Responder, limits: RequestLimits, idleTime: Duration) {
        self.responder = responder
        clientAddress = ClientAddress(trustedProxies: limits.trustedProxies)
        connectionLimit = ConnectionLimit(limits)
        self.idleTime = TimeAmount(idleTime)
        arrivalTime = TimeAmount(limits.arrivalTime)
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = RequestLimits.headerByteCount
            limits.maxHeaderListSize = RequestLimits.headerByteCount
            limits.maxHeaderFieldCount = RequestLimits.headerCount
            let flushes = flushes[channel.eventLoop]
            let collector = RequestCollector(
                patience: ConnectionPatience(idleTime: idleTime, arrivalTime: arrivalTime, on: channel.eventLoop),
                flushes: flushes.value)
            let pipeline = channel.pipeline.syncOperations
            let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
            // The decoder consumes all input at once, except the bytes after a request for another protocol. The limit
            // bounds these bytes.
            try pipeline.addHandler(
                ByteToMessageHandler(decoder, maximumBufferSize: 2 * RequestLimits.headerByteCount))
            try pipeline.addHandler(collector)
            return Value(
                channel: channel, collector: NIOLoopBound(collector, eventLoop: channel.eventLoop), flushes: flushes)
        }
    }

    package func handle(value: Value, logger: Logger) async {
        let customer = clientAddress.customer(connectedFrom: value.channel.remoteAddress)
        if let refusal = connectionLimit.begin(of: customer) {
            ConnectionMetrics.refused(refusal, logger: logger)
            return value.channel.close(promise: nil)
        }
        defer { connectionLimit.end(of: customer) }
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop, flushes: value.flushes)) {
            await withTaskCancellationHandler {
                await answerAll(of: value, logger: logger)
            } onCancel: {
                value.channel.close(promise: nil)
            }
        }
    }

    /// Answers all requests of a connection. Returns when the connection is closed.
    private func answerAll(of value: Value, logger: Logger) async {
        while let event = await next(of: value) {
            switch event {
            case .request(let request, let content):
                await answer(request, content, on: value, logger: logger)
            case .unreadable(let refusal):
                ConnectionMetrics.refused(refusal, logger: logger)
                value.collector.value.write(
                    Answer(status: refusal.status, headers: [.contentLength: "0"], date: dates.text()))
            }
        }
        if let refusal = value.collector.value.refusal { ConnectionMetrics.refused(refusal, logger: logger) }
        do {
            try await value.channel.closeFuture.get()
        } catch {
            logger.trace("A connection was not closed properly", metadata: ["error": .string("\(type(of: error))")])
        }
    }

    private func next(of value: Value) async -> RequestQueue.Event? {
        await withCheckedContinuation { continuation in value.collector.value.next(continuation) }
    }

    private func answer(
        _ request: HTTPRequest,
        _ requestContent: RequestContent,
        on value: Value,
        logger: Logger
    ) async {
        let context = RelyingPartyRequestContext(
            source: ApplicationRequestContextSource(channel: value.channel, logger: logger), id: names.next(),
            content: requestContent)
        var answer: Answer
        let content = AnswerContent()
        do {
            let response = try await responder.answer(
                to: Request(head: request, body: RequestBody(buffer: ByteBuffer())), context)
            if response.body.contentLength == nil, request.method != .head {
                return await writeParts(of: response, on: value, context)
            }
            try await response.body.write(content)
            answer = Answer(
                status: response.status, headers: response.headers, date: dates.text(), content: content.bytes)
        } catch {
            // The routes turn all errors that they throw into answers, so this error is a defect.
            context.logger.error("Failed to answer a request", metadata: ["error": .string("\(type(of: error))")])
            answer = Answer(status: .internalServerError, headers: [:], date: dates.text())
        }
        answer.frame(answering: request.method)
        value.collector.value.write(answer)
    }

    /// Writes an answer as its parts are made, so that only one part is in memory.
    private func writeParts(
        of response: Response, on value: Value, _ context: RelyingPartyRequestContext
    ) async {
        var headers = response.headers
        headers[.transferEncoding] = "chunked"
        value.collector.value.beginParts(Answer(status: response.status, headers: headers, date: dates.text()))
        var isComplete = true
        do {
            try await response.body.write(AnswerParts(collector: value.collector, idleTime: idleTime))
        } catch {
            context.logger.warning(
                "An answer was not written to its end", metadata: ["error": .string("\(type(of: error))")])
            isComplete = false
        }
        value.collector.value.endParts(isComplete: isComplete)
    }
}

/// Sends the body of an answer in parts. A part is made when the client has read the one before.
private struct AnswerParts: ResponseBodyWriter {
    let collector: NIOLoopBound<RequestCollector>
    let idleTime: TimeAmount

    func write(_ buffer: ByteBuffer) async throws {
        // A chunk without content would end the body.
        guard buffer.readableBytes > 0 else { return }
        guard let sent = collector.value.writePart(buffer, within: idleTime) else {
            throw ChannelError.ioOnClosedChannel
        }
        try await sent.get()
    }

    /// No answer of this server has trailers.
    func finish(_ trailers: HTTPFields?) {}
}

/// Collects the body of an answer.
private final class AnswerContent: ResponseBodyWriter {
    var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = buffer
        } else {
            bytes.writeImmutableBuffer(buffer)
        }
    }

    /// No answer of this server has trailers.
    func finish(_ trailers: HTTPFields?) {}
}
