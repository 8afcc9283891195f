import Foundation
import Logging
import NIOCore
import Testing

@Suite("The end of a connection")
struct ConnectionEndTests {
    @Test("A server that stops sends the answer that it owes, marks it as the last, and serves no later request")
    func stopUnderway() async throws {
        try await TestConnection.with { connection in
            try await connection.send(TestConnection.request("/slow"))
            try await connection.tell(ChannelShouldQuiesceEvent())
            try await connection.send(TestConnection.request("/late"))
            #expect(connection.isOpen)
            let answer = try await connection.letAnswer()
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("/slow"))
            let hasEnded = try await connection.hasEndedSending()
            #expect(hasEnded)
        }
    }

    @Test("A server that stops answers a request that has partly arrived")
    func stopAmidRequest() async throws {
        try await TestConnection.with { connection in
            try await connection.send("POST /any HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{")
            try await connection.tell(ChannelShouldQuiesceEvent())
            #expect(connection.isOpen)
            let answer = try await connection.send("}" + TestConnection.request("/late"))
            #expect(answer.components(separatedBy: "HTTP/1.1 200 ").count == 2)
            #expect(answer.contains("Connection: close\r\n"))
        }
    }

    @Test("A server that stops closes an idle connection")
    func stopIdle() async throws {
        try await TestConnection.with { connection in
            try await connection.tell(ChannelShouldQuiesceEvent())
            #expect(!connection.isOpen)
        }
    }

    @Test("A server that stops does not cut off an answer that is being sent")
    func stopUnsent() async throws {
        try await TestConnection.with { connection in
            try await connection.hold(true)
            #expect(try await connection.send(TestConnection.request("/any")).isEmpty)
            try await connection.tell(ChannelShouldQuiesceEvent())
            #expect(connection.isOpen)
            let answer = try await connection.hold(false)
            #expect(answer.hasSuffix("/any") && !connection.isOpen)
        }
    }

    @Test("Written data is sent before the connection is closed")
    func closeAtOnce() async throws {
        try await TestConnection.with { connection in
            let sent = try await connection.close(whenWritten: "answer")
            #expect(sent == "answer" && !connection.isOpen)
        }
    }

    @Test("If a connection is lost while a request is answered, its task ends")
    func gone() async throws {
        try await TestConnection.with { connection in
            try await connection.send(TestConnection.request("/slow"))
            connection.channel.close(promise: nil)
            #expect(try await connection.letAnswer().isEmpty)
        }
    }

    @Test("A malformed request has one debug line in the log with nothing but the reason")
    func refusalLine() async throws {
        let kept = KeptLog.Lines()
        let logger = Logger(label: "test") { _ in KeptLog(kept) }
        try await TestConnection.with(logger: logger) { connection in
            let answer = try await connection.send("no request from 192.0.2.1\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
        }
        #expect(kept.all == ["debug Refused a request before it was fully read reason=malformed"])
    }

    @Test(
        "An answer without a body is followed by the next answer",
        arguments: [("/204", "204 No Content"), ("/304", "304 Not Modified")])
    func noBody(path: String, status: String) async throws {
        try await TestConnection.with { connection in
            let answers = try await connection.send(TestConnection.request(path) + TestConnection.request("/next"))
                .components(separatedBy: "\r\n\r\n")
            try #require(answers.count == 3)
            #expect(answers[0].hasPrefix("HTTP/1.1 \(status)\r\n") && !answers[0].contains("Content-Length"))
            #expect(answers[1].hasPrefix("HTTP/1.1 200 OK\r\n") && answers[2] == "/next")
        }
    }
}
