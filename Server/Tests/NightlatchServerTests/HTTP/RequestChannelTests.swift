import Dispatch
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Requests of one connection")
struct RequestChannelTests {
    private static let live = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n"

    private static let beginLogin =
        "POST \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/json\r\n"

    /// Runs `body` with a connection to a server that answers one request at a time.
    private func withConnection(
        arrivalTime: Duration = .seconds(60),
        _ body: @escaping @Sendable (RawConnection, TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.concurrentRequests = 1
        configuration.limits.arrivalTime = arrivalTime
        try await TestRelyingParty.with(
            MemoryRelyingPartyStore(clock: TestTime.clock), setup: .live, configuration: configuration
        ) { caller in
            try await body(try RawConnection(port: try #require(caller.client.port)), caller)
        }
    }

    /// Returns all data until the server closes the connection.
    private func rest(_ connection: RawConnection) async -> String {
        var text = ""
        while let piece = await connection.receive() {
            if piece.isEmpty { return text }
            text += piece
        }
        Issue.record("the connection was not closed")
        return ""
    }

    /// Returns the statuses of all answers until the server closes the connection.
    private func statuses(_ connection: RawConnection) async throws -> [Int] { statuses(in: await rest(connection)) }

    private func statuses(in text: String) -> [Int] {
        text.matches(of: #/HTTP/1\.1 (\d{3}) /#).compactMap { Int($0.1) }
    }

    @Test("Requests sent together are answered in order, up to the one that closes the connection")
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

    @Test("A request with a pending body does not delay others, and is answered once its body has arrived")
    func lateBody() async throws {
        try await withConnection { connection, caller in
            let body = #"{"user":"alice"}"#
            connection.send(
                Self.beginLogin + "Expect: 100-Continue\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n")
            // So the server has read the head.
            #expect(await connection.receive() == "HTTP/1.1 100 Continue\r\n\r\n")
            let other = try await caller.call(.post, Route.beginLogin.path)
            #expect(other.status == .unsupportedMediaType)
            for character in body { connection.send(String(character)) }
            let found = try await statuses(connection)
            #expect(found == [200])
        }
    }

    @Test("A request that does not arrive completely in time is refused, and its connection is closed")
    func slowBody() async throws {
        try await withConnection(arrivalTime: .milliseconds(100)) { connection, _ in
            connection.send(Self.beginLogin + "Content-Length: 100\r\n\r\n{")
            let text = await rest(connection)
            #expect(statuses(in: text) == [408] && text.contains("Connection: close\r\n"))
        }
    }

    @Test("A body that is too long is refused before it is complete, and the server stops reading the connection")
    func longBody() async throws {
        try await withConnection { connection, _ in
            connection.send(
                Self.beginLogin + "Transfer-Encoding: chunked\r\n\r\n186A0\r\n" + String(repeating: " ", count: 100_000)
            )
            let text = await rest(connection)
            #expect(statuses(in: text) == [413])
            #expect(text.contains("body_too_large") && text.contains("Connection: close\r\n"))
        }
    }

    @Test("A body with an announced length that is too long is refused without asking for it")
    func announcedBody() async throws {
        try await withConnection { connection, _ in
            connection.send(Self.beginLogin + "Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n")
            let found = try await statuses(connection)
            #expect(found == [413])
        }
    }

    @Test(
        "After a request with Connection: close in any case, or of HTTP/1.0, the connection is closed",
        arguments: [
            ("1.1", "Close"), ("1.1", "keep-alive, CLOSE"), ("1.1", "close, TE"), ("1.0", "other"), ("1.0", "close"),
            ("1.0", "keep-alive"),
        ])
    func lastRequest(version: String, option: String) async throws {
        try await withConnection { connection, _ in
            let request = "GET /health/live HTTP/\(version)\r\nHost: localhost\r\nConnection: \(option)\r\n\r\n"
            connection.send(request + Self.live + "\r\n")
            let text = await rest(connection)
            #expect(statuses(in: text) == [200] && text.contains("Connection: close\r\n"))
        }
    }

    @Test(
        "A request to upgrade the protocol is answered in HTTP/1.1 as the last of its connection",
        arguments: [
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", "Upgrade: other\r\n",
        ])
    func upgrade(fields: String) async throws {
        try await withConnection { connection, _ in
            connection.send(Self.live + fields + "\r\n" + Self.live + "\r\n")
            connection.send(String(repeating: "x", count: 1_000_000))
            let text = await rest(connection)
            #expect(statuses(in: text) == [200] && text.contains("Connection: close\r\n"))
        }
    }

    @Test("A CONNECT request is refused as the last of its connection")
    func connect() async throws {
        try await withConnection { connection, _ in
            connection.send("CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.live + "\r\n")
            let found = try await statuses(connection)
            #expect(found == [404] || found == [400])
        }
    }

    @Test(
        "A request needs exactly one Host, which only HTTP/1.0 may omit",
        arguments: [
            ("HTTP/1.1\r\n", 400), ("HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400), ("HTTP/1.1\r\nhost: a\r\n", 200),
            ("HTTP/1.0\r\n", 200), ("HTTP/1.0\r\nHost: a\r\nHOST: b\r\n", 400),
        ])
    func host(head: String, status: Int) async throws {
        try await withConnection { connection, _ in
            connection.send("GET /health/live " + head + "Connection: close\r\n\r\n")
            let found = try await statuses(connection)
            #expect(found == [status])
        }
    }

    @Test("Of many requests at once the limit's number waits, the rest is dropped, and the last answer says so")
    func manyRequests() async throws {
        try await withConnection { connection, _ in
            connection.send(String(repeating: "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n", count: 1500))
            connection.endSending()
            let text = await rest(connection)
            let found = statuses(in: text)
            #expect((1...500).contains(found.count) && found.allSatisfy { $0 == 200 })
            #expect(text.components(separatedBy: "Connection: close\r\n").count == 2)
        }
    }

    @Test("Large requests wait only up to the limit of bytes, however few they are")
    func greatRequests() {
        var queue = RequestQueue()
        let size = RequestLimits.waitingByteCount / 2
        let taken = (0..<3).map { _ in queue.add(.unreadable(.malformed), byteCount: size) }
        #expect(taken == [true, true, false] && queue.hasEnded)
        var alone = RequestQueue()
        let isTaken = alone.add(.unreadable(.malformed), byteCount: RequestLimits.waitingByteCount + 1)
        #expect(isTaken && !alone.hasEnded && alone.isBusy)
    }

    @Test("Answered requests no longer count against the limit")
    func answeredRequests() async throws {
        try await TestConnection.with { connection in
            let body = String(repeating: " ", count: RequestLimits.waitingByteCount / 5)
            let request =
                "POST /any HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            for _ in 1...4 {
                let answers = try await connection.send(request + request)
                #expect(answers.components(separatedBy: "HTTP/1.1 200 ").count == 3)
                #expect(!answers.contains("Connection: close"))
            }
        }
    }

    @Test("An answer in parts is the last of its connection, and requests that were sent after its own have no effect")
    func parts() async throws {
        try await TestConnection.with { connection in
            let text = try await connection.send(TestConnection.request("/parts") + TestConnection.request("/second"))
            #expect(text.contains("Connection: close\r\n") && text.contains("Transfer-Encoding: chunked\r\n"))
            #expect(text.hasSuffix("\r\n\r\n6\r\n/parts\r\n6\r\n/parts\r\n0\r\n\r\n"))
            #expect(connection.askedPaths == ["/first", "/parts"])
            let hasEnded = try await connection.hasEndedSending()
            #expect(hasEnded)
        }
    }

    @Test("A client of HTTP/1.0 gets an answer in parts without chunks, up to the end of the connection")
    func oldParts() async throws {
        try await TestConnection.with { connection in
            let text = try await connection.send("GET /parts HTTP/1.0\r\n\r\n")
            #expect(text.hasSuffix("\r\n\r\n/parts/parts") && !text.contains("chunked"))
            let hasEnded = try await connection.hasEndedSending()
            #expect(hasEnded)
        }
    }

    @Test("If the store fails during an answer in parts, its last chunk is missing, and the log says why")
    func brokenParts() async throws {
        let lines = KeptLog.Lines()
        try await TestConnection.with(logger: Logger(label: "test") { _ in KeptLog(lines) }) { connection in
            let text = try await connection.send(TestConnection.request("/broken"))
            #expect(text.hasSuffix("\r\n\r\n7\r\n/broken\r\n") && !connection.isOpen)
        }
        #expect(lines.all.contains { $0.hasPrefix("error An answer was not written to its end") })
    }

    @Test("A client that has ended sending gets its answers")
    func halfClosed() async throws {
        try await withConnection { connection, _ in
            connection.send(Self.live + "\r\n" + Self.live + "\r\n")
            connection.endSending()
            let found = try await statuses(connection)
            #expect(found == [200, 200])
        }
    }

    @Test("Data that is not HTTP is refused after the answers to earlier requests")
    func noHTTP() async throws {
        try await withConnection { connection, _ in
            connection.send(Self.live + "\r\n" + "no request\r\n\r\n")
            let found = try await statuses(connection)
            #expect(found == [200, 400])
        }
    }

    @Test("A body that turns out to be malformed gets one answer, and the connection is closed")
    func brokenBody() async throws {
        try await withConnection { connection, _ in
            connection.send(Self.beginLogin + "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(await connection.receive() == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send("1\r\n{\r\nno chunk\r\n" + Self.live + "\r\n")
            let found = try await statuses(connection)
            #expect(found == [400])
        }
    }

    @Test("The answer to a HEAD request has no body, even when refused, so that the next answer can be read")
    func head() async throws {
        try await withConnection { connection, _ in
            let refused = "HEAD \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            connection.send(refused + Self.live + "Connection: close\r\n\r\n")
            var answers = ""
            while let piece = await connection.receive(), !piece.isEmpty { answers += piece }
            let parts = answers.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 3)
            #expect(parts[0].hasPrefix("HTTP/1.1 405 ") && parts[1].hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("Each answer, including refusals and the last one, has every common header once")
    func headersOnce() async throws {
        try await withConnection { connection, _ in
            let refused = "POST \(Route.beginLogin.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            let absent = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
            connection.send(Self.live + "\r\n" + refused + absent + Self.live + "Connection: close\r\n\r\n")
            var answers = ""
            while let piece = await connection.receive(), !piece.isEmpty { answers += piece }
            let heads = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { answer in
                answer.components(separatedBy: "\r\n\r\n")[0].lowercased()
            }
            #expect(heads.map { $0.prefix(3) } == ["200", "415", "404", "200"])
            for head in heads {
                for name in ["date", "x-request-id", "cache-control", "content-length"] {
                    #expect(head.components(separatedBy: "\r\n\(name): ").count == 2, "\(name) in \(head)")
                }
            }
        }
    }

    @Test("An answer is encoded as RFC 9112 specifies")
    func bytes() {
        var bytes = ByteBuffer()
        bytes.write(
            Answer(
                status: .notFound, headers: [.contentType: "text/plain", .contentLength: "2"],
                date: "Sun, 06 Nov 1994 08:49:37 GMT", content: ByteBuffer(string: "no")))
        #expect(
            String(buffer: bytes) == "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n"
                + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\nno"
        )
    }

    @Test("An answer has its date in the format of RFC 9110")
    func date() {
        let time = NumericDate(secondsSince1970: 784_111_777)
        let text = HTTPDates(clock: WallClock { time }).text()
        #expect(text == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
