import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers a request whose headers are larger than is read with 431
/// ([RFC 6585, section 5](https://www.rfc-editor.org/rfc/rfc6585#section-5)), where the server beneath has 400 for everything that
/// it cannot read.
final class HeaderOverflowAnswer: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var hasOverflowed = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case HTTPParserError.headerOverflow = error { hasOverflowed = true }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard hasOverflowed, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest else {
            return context.write(data, promise: promise)
        }
        head.status = .requestHeaderFieldsTooLarge
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
