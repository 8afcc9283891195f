import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NightlatchRelyingParty

/// Sends questions to backends over HTTP.
struct HTTPBackendTransport: BackendTransport {
    /// The process has one client, because a client that is released must be shut down first.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Bounds the connections that wait for one slow backend.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        configuration.timeout.connect = .seconds(10)
        return HTTPClient(configuration: configuration)
    }()

    func post(_ message: String, to url: String, timeout: Duration, byteCountLimit: Int) async -> [UInt8]? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/jwt")
        request.headers.add(name: "Accept", value: "application/json")
        request.body = .bytes(ByteBuffer(string: message))
        return await withTaskGroup(of: [UInt8]?.self) { [request] group in
            group.addTask { await Self.body(of: request, byteCountLimit: byteCountLimit) }
            // The client's own deadline covers only the time until the head of the answer.
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// Returns nil if the request fails; its cause is of no use to the journey.
    private static func body(of request: HTTPClientRequest, byteCountLimit: Int) async -> [UInt8]? {
        guard let response = try? await client.execute(request, timeout: .seconds(60)), response.status == .ok,
            let body = try? await response.body.collect(upTo: byteCountLimit)
        else { return nil }
        return Array(body.readableBytesView)
    }
}
