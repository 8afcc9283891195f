import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import NightlatchRelyingParty
import NightlatchWire

/// Posts events over HTTP. Certificates of receivers are checked against the system's authorities and those of
/// ``WebhookAuthorities``.
struct HTTPWebhookTransport: WebhookTransport {
    /// The time for one post. A claim's lease is longer.
    static let limit = Duration.seconds(10)
    /// The bytes of an answer that are read, so that its connection can be used again. A longer answer ends it.
    private static let answerLimit = 16 * 1024

    private let client: HTTPClient

    init(trusting authorities: WebhookAuthorities?) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        configuration.timeout.connect = .seconds(5)
        if let authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(authorities.certificates)]
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(configuration: configuration)
    }

    func post(_ body: [UInt8], to url: WebhookURL, headers: [(name: String, value: String)]) async -> WebhookAnswer {
        var request = HTTPClientRequest(url: url.rawValue)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "Nightlatch")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return await withTaskGroup(of: WebhookAnswer.self) { [request] group in
            group.addTask { await answer(to: request) }
            // The client's own deadline covers only the time until the head of the answer.
            group.addTask {
                do {
                    try await Task.sleep(for: Self.limit)
                    return .late
                } catch {
                    return .none
                }
            }
            let first = await group.next() ?? .none
            group.cancelAll()
            return first
        }
    }

    private func answer(to request: HTTPClientRequest) async -> WebhookAnswer {
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: .seconds(60))
        } catch {
            // Its cause may name an address within the operator's network, which is of no use to the receiver.
            return .none
        }
        // The status decides, whatever becomes of the body.
        var count = 0
        do {
            for try await part in response.body {
                count += part.readableBytes
                if count > Self.answerLimit { break }
            }
        } catch {}
        return .status(Int(response.status.code))
    }

    func close() async {
        do {
            try await client.shutdown()
        } catch {
            // It fails only if it was shut down before.
        }
    }
}
