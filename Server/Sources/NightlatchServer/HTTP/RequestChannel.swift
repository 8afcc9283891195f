import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection whose requests are answered one after the other by one task on its event loop.
///
/// It stands in the place of Hummingbird's `HTTP1Channel`, whose bodies are streams: here both bodies are bounded, so a request is
/// taken and an answer is given in one step each. It keeps to what that one does: idle and stopping connections, pipelined requests.
struct RequestChannel<Responder: HTTPResponder>: ServerChildChannel
where Responder.Context == RelyingPartyRequestContext {
    let responder: Responder
    let dates: HTTPDates
    let names: RequestNames
    let idleTimeout: Duration

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let collector: NIOLoopBound<RequestCollector>
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = RequestLimits.headerByteCount
            limits.maxHeaderListSize = RequestLimits.headerByteCount
            limits.maxHeaderFieldCount = RequestLimits.headerCount
            let collector = RequestCollector(
                bodyLimit: RequestLimits.bodyByteCount, idleTimeout: TimeAmount(idleTimeout))
            let pipeline = channel.pipeline.syncOperations
            let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
            try pipeline.addHandler(ByteToMessageHandler(decoder))
            try pipeline.addHandler(collector)
            return Value(channel: channel, collector: NIOLoopBound(collector, eventLoop: channel.eventLoop))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await withTaskCancellationHandler {
                await answerAll(of: value, logger: logger)
            } onCancel: {
                value.channel.eventLoop.execute { value.collector.value.cancel() }
            }
        }
    }

    /// Answers all requests of a connection, and returns when it is closed.
    private func answerAll(of value: Value, logger: Logger) async {
        reading: while let event = await next(of: value) {
            switch event {
            case .request(let head, let body):
                let request = Request(head: head, body: body)
                let (response, content) = await answer(to: request, on: value.channel, logger: logger)
                value.collector.value.write(response, body: head.method == .head ? ByteBuffer() : content)
                if request.headers[.connection] == "close" { break reading }
            case .unreadable(let status):
                let refusal = HTTPResponse(status: status, headerFields: [.connection: "close", .contentLength: "0"])
                value.collector.value.write(refusal, body: ByteBuffer())
            }
        }
        value.collector.value.finish()
        do {
            try await value.channel.closeFuture.get()
        } catch {
            logger.trace("A connection was not closed in order", metadata: ["error": .string("\(type(of: error))")])
        }
    }

    private func next(of value: Value) async -> RequestQueue.Event? {
        await withCheckedContinuation { continuation in value.collector.value.next(continuation) }
    }

    /// An answer with all that says how long it is ([RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)).
    private func answer(
        to request: Request,
        on channel: any Channel,
        logger: Logger
    ) async -> (head: HTTPResponse, content: ByteBuffer) {
        var logger = logger
        logger[metadataKey: "hb.request.id"] = .string(names.next())
        let context = RelyingPartyRequestContext(
            source: ApplicationRequestContextSource(channel: channel, logger: logger))
        var head: HTTPResponse
        let content = AnswerContent()
        do {
            let response = try await responder.respond(to: request, context: context)
            head = response.head
            try await response.body.write(content)
        } catch {
            // The routes turn what they throw into answers; so this is none of theirs.
            logger.error("Failed to answer a request", metadata: ["error": .string("\(type(of: error))")])
            content.bytes.clear()
            head = HTTPResponse(status: .internalServerError, headerFields: [.contentLength: "0"])
        }
        head.headerFields[.date] = dates.text()
        switch head.status {
        case .noContent, .notModified:
            head.headerFields[.contentLength] = nil
            content.bytes.clear()
        default:
            if !head.headerFields.contains(.contentLength), request.method != .head {
                head.headerFields[.contentLength] = String(content.bytes.readableBytes)
            }
        }
        return (head, content.bytes)
    }
}

/// The body of an answer, taken together.
private final class AnswerContent: ResponseBodyWriter {
    var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = buffer
        } else {
            bytes.writeImmutableBuffer(buffer)
        }
    }

    /// No answer here has trailers.
    func finish(_ trailers: HTTPFields?) {}
}
