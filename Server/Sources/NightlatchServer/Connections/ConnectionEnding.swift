import NIOCore

/// The end of a connection: what was written goes out first, since to close at once would drop it.
final class ConnectionEnding {
    /// When the other side was told that nothing more comes, and it was left to it to close the connection.
    private(set) var toldAt: NIODeadline?
    private var hasBegun = false

    /// Ends the connection, unless that has begun.
    ///
    /// - Parameters:
    ///   - lastAnswer: What is written yet, after which the other side is left to close the connection: it may still be sending, and if
    ///     nobody took that, the system would tear the connection down before the answer is read.
    ///   - whenTold: Called when it is left to the other side.
    func begin(_ context: ChannelHandlerContext, _ lastAnswer: ByteBuffer?, whenTold: @escaping () -> Void) {
        guard !hasBegun else { return }
        hasBegun = true
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            guard lastAnswer != nil else { return channel.close(promise: nil) }
            channel.close(mode: .output, promise: nil)
            toldAt = channel.eventLoop.now
            whenTold()
        }
        context.writeAndFlush(RequestCollector.wrapOutboundOut(lastAnswer ?? ByteBuffer()), promise: written)
    }
}
