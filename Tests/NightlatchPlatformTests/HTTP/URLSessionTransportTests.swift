import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("HTTP transport")
struct URLSessionTransportTests {
    private func send(
        _ transport: URLSessionTransport = URLSessionTransport(),
        _ method: String = "POST",
        to url: String,
        _ body: String? = nil,
        timeout: Duration = .seconds(30)
    ) async throws -> HTTPTransportResponse {
        let url = try #require(URL(string: url))
        return try await transport.send(
            HTTPTransportRequest(
                method: method, url: url, headers: ["Accept-API-Version": "resource=1.0"],
                body: body.map { Data($0.utf8) },
                timeout: timeout))
    }

    @Test(
        "Method, headers and body arrive, and the answer is returned with any status",
        arguments: [200, 401, 404, 503])
    func exchange(_ status: Int) async throws {
        let server = try LoopbackServer { _ in .answer(status: status, body: #"{"a":1}"#) }
        let response = try await send(.init(), "PUT", to: server.url + "/x?y=%20z", #"{"b":2}"#)
        #expect(response.status == status)
        #expect(response.body == Data(#"{"a":1}"#.utf8))
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT")
        #expect(request.path == "/x?y=%20z")
        #expect(request.headers["accept-api-version"] == "resource=1.0")
        #expect(request.body == #"{"b":2}"#)
    }

    @Test("A connection that the server closed after an earlier answer fails at once or is not used again")
    func closedConnection() async throws {
        let server = try LoopbackServer { _ in .answerOnce(status: 200, body: "{}") }
        let transport = URLSessionTransport()
        for _ in 0..<3 {
            do {
                #expect(try await send(transport, to: server.url, "{}", timeout: .seconds(20)).status == 200)
            } catch HTTPTransportError.unreachable(let reason) {
                #expect(!reason.contains("no complete answer"), "it was waited for until the end")
            }
        }
    }

    @Test(
        "A redirect is an answer with its target, and is not followed",
        arguments: ["/elsewhere", "com.example.app:/oauth2redirect?code=a%20b&state=c", "https://example.invalid/"])
    func redirect(_ target: String) async throws {
        let server = try LoopbackServer { _ in .answer(status: 302, headers: ["Location: \(target)"], body: "") }
        for method in ["GET", "POST"] {
            let response = try await send(.init(), method, to: server.url + "/x")
            #expect(response.status == 302)
            #expect(response.header("LOCATION") == target)
            #expect(response.header("Place") == nil)
        }
        #expect(server.requests.map(\.path) == ["/x", "/x"])
    }

    @Test("Cookies are sent back to the server that set them, and last as long as the transport")
    func cookies() async throws {
        let server = try LoopbackServer { _ in
            .answer(status: 200, headers: ["Set-Cookie: amlbcookie=01; Path=/"], body: "{}")
        }
        let transport = URLSessionTransport()
        for _ in 0..<2 { _ = try await send(transport, to: server.url + "/x") }
        _ = try await send(to: server.url + "/x")
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "amlbcookie=01", nil])
    }

    @Test("A transport that has forgotten its cookies sends none, and keeps new ones")
    func forgottenCookies() async throws {
        let server = try LoopbackServer { _ in
            .answer(status: 200, headers: ["Set-Cookie: session=01; Path=/"], body: "{}")
        }
        let transport = URLSessionTransport()
        for _ in 0..<2 { _ = try await send(transport, to: server.url + "/x") }
        transport.forgetCookies()
        for _ in 0..<2 { _ = try await send(transport, to: server.url + "/x") }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "session=01", nil, "session=01"])
    }

    @Test("An answer that is too large, late or endless is refused")
    func refusals() async throws {
        let endless = try LoopbackServer { _ in .endless }
        await #expect(throws: HTTPTransportError.tooLarge) {
            try await send(URLSessionTransport(byteCountLimit: 100_000), to: endless.url + "/x")
        }
        let silent = try LoopbackServer { _ in .silence }
        let late = await #expect(throws: HTTPTransportError.self) {
            try await send(to: silent.url + "/x", timeout: .seconds(1))
        }
        guard case .unreachable = late else { throw Unexpected() }
        let hanging = try LoopbackServer { _ in .hangUp }
        await #expect(throws: HTTPTransportError.self) { try await send(to: hanging.url + "/x") }
    }

    private struct Unexpected: Error {}
}
