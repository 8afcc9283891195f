import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Asks the relying party that listens on this machine whether it can serve.
///
/// It must not be used across a network: whichever certificate the server has is taken, since it names another host than the one asked here,
/// may be about to be exchanged, and nothing secret is sent.
package struct ReadinessProbe: Sendable {
    private let host: String
    private let port: Int
    private let speaksTLS: Bool

    /// Why the server was not found to be ready.
    package enum Failure: Error, Hashable, Sendable {
        /// It answered, and with another status than 200.
        case notReady(status: Int)
        /// Nothing that speaks as it should has answered in time.
        case noAnswer
    }

    package init(host: String, port: Int, speaksTLS: Bool) {
        self.host = host
        self.port = port
        self.speaksTLS = speaksTLS
    }

    /// Returns if the server is ready.
    ///
    /// - Parameters:
    ///   - path: The route to ask.
    ///   - limit: How long connecting may take, and how long the answer after that.
    package func check(_ path: String, limit: Duration) async throws(Failure) {
        let status: Int?
        do {
            status = try await answer(to: path, limit: limit)
        } catch {
            throw .noAnswer
        }
        guard let status else { throw .noAnswer }
        guard status == 200 else { throw .notReady(status: status) }
    }

    /// The status of the answer; nil if the server has closed the connection without one.
    private func answer(to path: String, limit: Duration) async throws -> Int? {
        let tls = speaksTLS ? try Self.anyCertificate() : nil
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(limit))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try pipeline.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        let timer = connection.channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            connection.channel.close(promise: nil)
        }
        defer { timer.cancel() }
        return try await connection.executeThenClose { answers, requests in
            let headers: HTTPHeaders = ["Host": "localhost", "Connection": "close"]
            try await requests.write(.head(.init(version: .http1_1, method: .GET, uri: path, headers: headers)))
            try await requests.write(.end(nil))
            for try await part in answers {
                if case .head(let head) = part { return Int(head.status.code) }
            }
            return nil
        }
    }

    private static func anyCertificate() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        return try NIOSSLContext(configuration: configuration)
    }
}
