import NIOCore

/// Closes a connection after everything written has been sent. Closing at once would drop unsent data.
final class ConnectionEnding {
    /// The time when the server closed its sending half, so that only the client can still send; nil before that.
    private(set) var toldAt: NIODeadline?
    private var hasBegun = false

    /// Begins to close the connection. Does nothing if that has begun already.
    ///
    /// - Parameters:
    ///   - lastAnswer: The last bytes to write. After them, the server closes only its sending half, because the client
    ///     may still be sending. If the server stopped reading, the system would reset the connection before the client
    ///     reads the answer. If nil, the server closes the whole connection.
    ///   - whenTold: Called when the server has closed its sending half.
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
