import Foundation
package import Logging
package import NIOCore

/// Keeps a listener open after it fails to accept a connection.
///
/// The cause is a lack of file descriptors or memory, or a client that disconnected. The next connection may succeed.
/// NIO keeps the listener open after such an error, but Hummingbird would treat the error as the listener's end.
package final class AcceptErrors: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// The errors after which NIO leaves the listener open.
    private static let passing: Set<CInt> = [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]
    private static let silence = TimeAmount.seconds(1)

    private let logger: Logger
    /// No line is logged before this time.
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
        logger.error("Failed to accept a connection", metadata: ["error": .string("\(error)")])
    }
}

extension Channel {
    /// Keeps this listener open after it fails to accept a connection.
    func surviveAcceptErrors(logger: Logger) async {
        do {
            try await eventLoop.submit {
                try self.pipeline.syncOperations.addHandler(AcceptErrors(logger: logger), position: .first)
            }.get()
        } catch {
            // The listener was closed before the handler was added: the server stops.
            logger.debug("A listener was closed at its start", metadata: ["error": .string("\(type(of: error))")])
        }
    }
}
