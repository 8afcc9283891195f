import Dispatch
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NightlatchServer
import NightlatchWire
import Testing

@Suite("Requests of one connection")
struct RequestChannelTests {
    private static let live = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n"

    /// Runs `body` with a connection to a server that answers one request at a time.
    private func withConnection(
        _ body: @escaping @Sendable (RawConnection, TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.concurrentRequests = 1
        try await TestRelyingParty.with(
            MemoryStore(clock: TestTime.clock), setup: .live, configuration: configuration
        ) { caller in
            try await body(try RawConnection(port: try #require(caller.client.port)), caller)
        }
    }

    /// The next piece, waited for on a thread of its own: the server takes connections on those that tests run on.
    private func receive(_ connection: RawConnection) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "connection").async { continuation.resume(returning: connection.receive()) }
        }
    }

    /// The statuses of all answers until the server closes the connection.
    private func statuses(_ connection: RawConnection) async throws -> [Int] {
        var text = ""
        while let piece = await receive(connection) {
            if piece.isEmpty { return text.matches(of: #/HTTP/1\.1 (\d{3}) /#).compactMap { Int($0.1) } }
            text += piece
        }
        Issue.record("the connection was not closed")
        return []
    }

    @Test("Requests that come in one piece are answered in their order, up to the one that closes the connection")
    func pipelined() async throws {
        try await withConnection { connection, _ in
            let unknown = "GET /unknown HTTP/1.1\r\nHost: localhost\r\n"
            connection.send(
                Self.live + "\r\n" + unknown + "\r\n" + Self.live + "\r\n" + unknown + "Connection: close\r\n\r\n"
                    + Self.live + "\r\n")
            let found = try await statuses(connection)
            #expect(found == [200, 404, 200, 404])
        }
    }

    @Test(
        "A request whose body comes late is under way as soon as its head has come, and is answered once the body is whole"
    )
    func lateBody() async throws {
        try await withConnection { connection, caller in
            let body = #"{"user":"alice"}"#
            connection.send(
                "POST \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body.prefix(1))
            while try await caller.call(.post, Route.beginLogin.path).status != .serviceUnavailable {}
            for character in body.dropFirst() { connection.send(String(character)) }
            let found = try await statuses(connection)
            #expect(found == [200])
        }
    }

    @Test("RP9: A body that is too long is refused before it is whole, and the connection serves on")
    func longBody() async throws {
        try await withConnection { connection, _ in
            connection.send(
                "POST \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 200000\r\n\r\n" + String(repeating: " ", count: 100_000))
            var answer = ""
            while !answer.contains("body_too_large"), let piece = await receive(connection), !piece.isEmpty {
                answer += piece
            }
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            connection.send(String(repeating: " ", count: 100_000) + Self.live + "Connection: close\r\n\r\n")
            let found = try await statuses(connection)
            #expect(found == [200])
        }
    }

    @Test("Whoever has ended sending is answered what was asked")
    func halfClosed() async throws {
        try await withConnection { connection, _ in
            connection.send(Self.live + "\r\n" + Self.live + "\r\n")
            connection.endSending()
            let found = try await statuses(connection)
            #expect(found == [200, 200])
        }
    }

    @Test("What is no HTTP is refused after the answers to what came before it")
    func noHTTP() async throws {
        try await withConnection { connection, _ in
            connection.send(Self.live + "\r\n" + "no request\r\n\r\n")
            let found = try await statuses(connection)
            #expect(found == [200, 400])
        }
    }

    @Test("A body that turns out to be no HTTP while it comes in has one answer, and the connection is closed")
    func brokenBody() async throws {
        try await withConnection { connection, caller in
            connection.send(
                "POST \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
            while try await caller.call(.post, Route.beginLogin.path).status != .serviceUnavailable {}
            connection.send("no chunk\r\n" + Self.live + "\r\n")
            let found = try await statuses(connection)
            #expect(found == [400])
        }
    }

    @Test("A request by HEAD has no body in its answer, also where it is refused, so that what follows can be read")
    func head() async throws {
        try await withConnection { connection, _ in
            let refused = "HEAD \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            connection.send(refused + Self.live + "Connection: close\r\n\r\n")
            var answers = ""
            while let piece = await receive(connection), !piece.isEmpty { answers += piece }
            let parts = answers.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 3)
            #expect(parts[0].hasPrefix("HTTP/1.1 405 ") && parts[1].hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("An answer goes over the wire as RFC 9112 has it")
    func bytes() {
        var bytes = ByteBuffer()
        bytes.write(
            HTTPResponse(status: .notFound, headerFields: [.contentType: "text/plain", .contentLength: "2"]),
            body: ByteBuffer(string: "no"))
        #expect(
            String(buffer: bytes) == "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno"
        )
    }

    @Test("An answer says when it was given, as RFC 9110 has it")
    func date() {
        let time = NumericDate(secondsSince1970: 784_111_777)
        let text = HTTPDates(clock: WallClock { time }).text()
        #expect(text == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
