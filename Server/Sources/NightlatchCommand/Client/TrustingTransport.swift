import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Nightlatch
import NightlatchProgram

/// HTTP to servers with a certificate of a private authority. Foundation on Linux trusts only the system's authorities.
///
/// Each request has its own connection. Redirects are not followed, and nothing is stored.
struct TrustingTransport: HTTPTransport {
    /// The maximum size of an answer's body. It is more than any answer of a relying party has.
    private static let byteCountLimit = 1024 * 1024
    private let configuration: HTTPClient.Configuration

    /// Creates a transport.
    ///
    /// - Parameter path: A PEM file of the authorities to trust in addition to the system's.
    /// - Throws: A usage error if the file cannot be read or contains no certificate.
    init(caFile path: String) throws(CommandFailure) {
        let authorities: [NIOSSLCertificate]
        do {
            authorities = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            authorities = []
        }
        guard !authorities.isEmpty else {
            throw CommandFailure(
                .usage,
                "“\(path)” contains no certificate in PEM, or cannot be read. Name the file of the authority's certificate "
                    + "with --ca-file or NIGHTLATCH_CA_FILE.")
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.additionalTrustRoots = [.certificates(authorities)]
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // Otherwise the client would repeat a refused handshake until the time limit.
        configuration.connectionPool.retryConnectionEstablishment = false
        self.configuration = configuration
    }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        // On Apple systems the client's default event loops have a TLS without additional authorities.
        let client = HTTPClient(
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
        let result = await withTaskGroup(of: Result<HTTPTransportResponse, HTTPTransportError>.self) { group in
            group.addTask { await Self.response(to: request, from: client) }
            // The client's own deadline covers only the time until the head of the answer.
            group.addTask {
                do {
                    try await Task.sleep(for: request.timeout)
                    return .failure(.unreachable(reason: "no complete answer within \(request.timeout)"))
                } catch {
                    return .failure(.cancelled)
                }
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        do {
            try await client.shutdown()
        } catch {
            // The answer is complete, or its error is known. The connection ends with the process at the latest.
        }
        return try result.get()
    }

    private static func response(
        to request: HTTPTransportRequest,
        from client: HTTPClient
    ) async -> Result<HTTPTransportResponse, HTTPTransportError> {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if let body = request.body { message.body = .bytes(body) }
        do {
            let response = try await client.execute(message, timeout: .seconds(60 * 60))
            let body = try await response.body.collect(upTo: byteCountLimit)
            let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
            return .success(
                HTTPTransportResponse(
                    status: Int(response.status.code), headers: headers, body: Data(body.readableBytesView)))
        } catch is NIOTooManyBytesError {
            return .failure(.tooLarge)
        } catch NIOSSLError.handshakeFailed(let cause) {
            return .failure(.unreachable(reason: "no trusted certificate, or no TLS: \(cause)"))
        } catch {
            return .failure(Task.isCancelled ? .cancelled : .unreachable(reason: "\(error)"))
        }
    }
}
