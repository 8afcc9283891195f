import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// Sends requests for the fleet's public address to one of its servers, as a load balancer would.
struct BalancedTransport: HTTPTransport {
    private let server: URL
    private let transport = URLSessionTransport()

    /// - Parameter server: The server's own address.
    init(to server: Issuer) throws {
        guard let url = server.url(path: "/") else { throw CocoaError(.coderInvalidValue) }
        self.server = url
    }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false) else {
            preconditionFailure("the client made an address that is none")
        }
        (parts.scheme, parts.host, parts.port) = (server.scheme, server.host(), server.port)
        return try await transport.send(
            HTTPTransportRequest(
                method: request.method, url: parts.url ?? request.url, headers: request.headers, body: request.body,
                timeout: request.timeout))
    }
}
