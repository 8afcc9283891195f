import Foundation
import NIOCore
import Testing

@Suite("Time limits of a connection")
struct ConnectionTimeTests {
    private static let partial = "POST /any HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"

    @Test("A request that is incomplete ten seconds after its head is refused, however steadily it arrives")
    func slowBody() async throws {
        try await TestConnection.with { connection in
            try await connection.send(Self.partial)
            for _ in 1...9 {
                #expect(try await connection.pass(.seconds(1)).isEmpty)
                #expect(try await connection.send(" ").isEmpty)
            }
            let answer = try await connection.pass(.seconds(1))
            #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("Connection: close\r\n"))
        }
    }

    @Test("An idle connection is closed, and each answer restarts its time")
    func idle() async throws {
        try await TestConnection.with { connection in
            try await connection.pass(.seconds(29))
            #expect(try await connection.send(TestConnection.request("/any")).hasPrefix("HTTP/1.1 200 "))
            #expect(try await connection.pass(.seconds(29)).isEmpty)
            #expect(connection.isOpen)
            #expect(try await connection.pass(.seconds(1)).isEmpty)
            #expect(!connection.isOpen)
        }
    }

    @Test("An answer may take any time")
    func slowAnswer() async throws {
        try await TestConnection.with { connection in
            try await connection.send(TestConnection.request("/slow"))
            #expect(try await connection.pass(.seconds(1000)).isEmpty)
            #expect(connection.isOpen)
            #expect(try await connection.letAnswer().hasPrefix("HTTP/1.1 200 "))
            try await connection.pass(.seconds(60))
            #expect(!connection.isOpen)
        }
    }

    @Test("A slow request behind one that is being answered does not cut off that answer, and its time starts after it")
    func behindSlowAnswer() async throws {
        try await TestConnection.with { connection in
            try await connection.send(TestConnection.request("/slow") + Self.partial)
            #expect(try await connection.pass(.seconds(60)).isEmpty)
            #expect(connection.isOpen)
            #expect(try await connection.letAnswer().hasPrefix("HTTP/1.1 200 "))
            #expect(try await connection.pass(.seconds(9)).isEmpty)
            #expect(connection.isOpen)
            #expect(try await connection.pass(.seconds(1)).hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test("After the last answer the client has two seconds to close the connection")
    func farewell() async throws {
        try await TestConnection.with { connection in
            let answer = try await connection.send(TestConnection.request("/any", "Connection: close\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
            let hasEnded = try await connection.hasEndedSending()
            #expect(hasEnded && connection.isOpen)
            try await connection.pass(.seconds(2))
            #expect(!connection.isOpen)
        }
    }

    @Test("A client that reads no answers gets no more time than an idle one, and waiting requests stay unanswered")
    func unread() async throws {
        try await TestConnection.with { connection in
            #expect(try await connection.setWritable(false).isEmpty)
            let requests = String(repeating: TestConnection.request("/any"), count: 3)
            #expect(try await connection.send(requests).isEmpty)
            let answers = try await connection.tell(ChannelEvent.inputClosed)
            #expect(answers.isEmpty)
            #expect(connection.isOpen)
            #expect(try await connection.pass(.seconds(30)).isEmpty)
            #expect(!connection.isOpen)
        }
    }

    @Test(
        """
        A client that has ended sending gets all answers as fast as it reads, and the last one says that it is the \
        last
        """)
    func readLate() async throws {
        try await TestConnection.with { connection in
            _ = try await connection.setWritable(false)
            try await connection.send(String(repeating: TestConnection.request("/any"), count: 3))
            try await connection.tell(ChannelEvent.inputClosed)
            let answers = try await connection.setWritable(true).components(separatedBy: "HTTP/1.1 200 OK\r\n")
            #expect(answers.count == 4)
            #expect(answers.map { $0.contains("Connection: close\r\n") } == [false, false, false, true])
        }
    }
}
