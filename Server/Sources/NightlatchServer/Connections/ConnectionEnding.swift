import NIOCore

/// Closes a connection after everything written has been sent. Closing at once would drop unsent data.
final class ConnectionEnding {
    /// When the server closed its own direction and left the client to close the connection; nil before that.
    private(set) var toldAt: NIODeadline?
    private var hasBegun = false

    /// Ends the connection. Does nothing if this has begun already.
    ///
    /// - Parameters:
    ///   - lastAnswer: The last bytes to write. After them, the server leaves it to the client to close the connection:
    ///     the client may still be sending. If the server stopped reading, the system would reset the connection before
    ///     the client reads the answer. If nil, the server closes the connection.
    ///   - whenTold: Called when it is left to the client to close the connection.
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
