import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import NightlatchRelyingParty
import NightlatchWire

/// Posts events over HTTP. Certificates of receivers are checked against the system's authorities and those of
/// ``WebhookAuthorities``.
struct HTTPWebhookTransport: WebhookTransport {
    /// The time for one post until the head of its answer. A claim's lease is longer.
    static let limit = Duration.seconds(10)
    /// The bytes of an answer that are read, so that its connection can be used again. A longer answer ends it.
    private static let answerLimit = 16 * 1024
    /// The time for the rest of an answer, after its head.
    private static let drainLimit = Duration.seconds(1)

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
        let result = await withTaskGroup(of: Head.self) { [request] group in
            group.addTask { await head(of: request) }
            group.addTask { await Self.pause(Self.limit) ? .late : .none }
            let first = await group.next() ?? .none
            group.cancelAll()
            return first
        }
        switch result {
        case .none: return .none
        case .late: return .late
        case .response(let response):
            // The status decides. The body has only a moment, because nobody needs it.
            await withDiscardingTaskGroup { group in
                let drain = Task { await Self.drain(response.body) }
                group.addTask {
                    _ = await Self.pause(Self.drainLimit)
                    drain.cancel()
                }
                await drain.value
                group.cancelAll()
            }
            return .status(Int(response.status.code))
        }
    }

    /// The head of an answer.
    private enum Head: Sendable {
        case response(HTTPClientResponse)
        case none
        case late
    }

    private func head(of request: HTTPClientRequest) async -> Head {
        do {
            return .response(try await client.execute(request, timeout: .seconds(60)))
        } catch {
            // Its cause may name an address within the operator's network, which is of no use to the receiver.
            return .none
        }
    }

    /// Reads the body up to its limit.
    private static func drain(_ body: HTTPClientResponse.Body) async {
        var count = 0
        do {
            for try await part in body {
                count += part.readableBytes
                if count > answerLimit { return }
            }
        } catch {
            // The connection has ended, and is not used again.
        }
    }

    /// Returns whether the time has passed; false if the task was cancelled before.
    private static func pause(_ time: Duration) async -> Bool {
        do {
            try await Task.sleep(for: time)
            return true
        } catch {
            return false
        }
    }

    func close() async {
        do {
            try await client.shutdown()
        } catch {
            // It fails only if it was shut down before.
        }
    }
}
