import Foundation
package import Logging
package import NIOCore

/// Keeps a listener open that could not take a connection, for which there was no file, no memory, or nobody any more: the next one may
/// go well. NIO goes on then, but Hummingbird would take the error for the listener's end.
package final class AcceptErrors: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// Those after which NIO leaves the listener open.
    private static let passing: Set<CInt> = [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]
    private static let silence = TimeAmount.seconds(1)

    private let logger: Logger
    /// The next line is not written before.
    private var silentUntil = NIODeadline.uptimeNanoseconds(0)

    package init(logger: Logger) {
        self.logger = logger
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let now = context.eventLoop.now
        guard let error = error as? IOError, Self.passing.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard now >= silentUntil else { return }
        silentUntil = now + Self.silence
        logger.error("Failed to take a connection", metadata: ["error": .string("\(error)")])
    }
}

extension Channel {
    /// Lets this listener go on after a connection that it could not take.
    func surviveAcceptErrors(logger: Logger) async {
        do {
            try await eventLoop.submit {
                try self.pipeline.syncOperations.addHandler(AcceptErrors(logger: logger), position: .first)
            }.get()
        } catch {
            // It was closed meanwhile: the server stops.
            logger.debug("A listener was closed as it began", metadata: ["error": .string("\(type(of: error))")])
        }
    }
}
