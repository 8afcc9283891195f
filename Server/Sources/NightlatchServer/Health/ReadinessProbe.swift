import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Asks the relying party on this machine whether it can serve.
///
/// The probe accepts any certificate: the server's certificate names a different host than the probe connects to, and
/// may have expired. So do not use the probe across a network. It sends nothing secret.
package struct ReadinessProbe: Sendable {
    private let host: String
    private let port: Int
    private let speaksTLS: Bool

    /// The reason why the server is not ready.
    package enum Failure: Error, Hashable, Sendable {
        /// The server answered with a status other than 200.
        case notReady(status: Int)
        /// No valid HTTP answer arrived in time.
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
    ///   - path: The path of the route to request.
    ///   - limit: The time limit for connecting, and separately for the answer.
    /// - Throws: ``Failure``.
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

    /// Returns the status of the answer; nil if the server closed the connection without an answer.
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
