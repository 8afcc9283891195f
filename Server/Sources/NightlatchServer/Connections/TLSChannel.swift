import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A TLS connection on top of another Hummingbird channel. It uses the certificate that is current when it begins.
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
