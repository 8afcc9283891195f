import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection of Hummingbird's under TLS, with the certificate that is in use when it begins.
struct TLSChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let tls: ServerTLS

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls.context))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
