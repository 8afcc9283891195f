import Foundation
import NIOCore
import NIOPosix
import NightlatchWire

/// A connection to a server for many requests. Each request is sent after the answer to the previous one.
struct LoadConnection {
    private let host: String
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = ByteBuffer()
    /// The newest nonce in an answer.
    private(set) var newestNonce: DPoPNonce?

    /// The error for a closed connection, or for an answer without a body length or, in `post`, with a status other
    /// than 200.
    struct BadAnswer: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs `body` with a new connection to the server at `port` of the loopback address.
    static func run(port: Int, _ body: (inout LoadConnection) async throws -> Void) async throws {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var connection = LoadConnection(
                host: "127.0.0.1:\(port)", outbound: outbound, inbound: inbound.makeAsyncIterator())
            try await body(&connection)
        }
    }

    private init(
        host: String,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) {
        self.host = host
        self.outbound = outbound
        self.inbound = inbound
    }

    /// Sends a request and reads its answer.
    ///
    /// - Throws: ``BadAnswer``, also if the status is not 200.
    mutating func post(
        _ body: [UInt8],
        as contentType: String,
        to route: Route,
        headers: String = ""
    ) async throws -> [UInt8] {
        let (head, answer) = try await exchange(body, as: contentType, to: route.path, headers: headers)
        guard head.hasPrefix("HTTP/1.1 200 ") else {
            throw BadAnswer(description: head + String(decoding: answer, as: UTF8.self))
        }
        return answer
    }

    /// Sends a request and reads its answer with any status.
    mutating func exchange(
        _ body: [UInt8],
        as contentType: String,
        to path: String,
        by method: String = "POST",
        headers: String = ""
    ) async throws -> (head: String, body: [UInt8]) {
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: \(host)\r
            Content-Type: \(contentType)\r
            Content-Length: \(body.count)\r
            \(headers)\r

            """
        try await outbound.write(ByteBuffer(bytes: Array(head.utf8) + body))
        let answerHead = try await readHead()
        let lines = answerHead.split(separator: "\r\n")
        func field(_ name: String) -> String? {
            lines.lazy.compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name else { return nil }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }.first
        }
        if let nonce = field("dpop-nonce").flatMap(DPoPNonce.init) { newestNonce = nonce }
        guard let length = field("content-length").flatMap({ Int($0) }) else {
            throw BadAnswer(description: answerHead)
        }
        while received.readableBytes < length { try await receive() }
        return (answerHead, received.readBytes(length: length) ?? [])
    }

    private mutating func readHead() async throws -> String {
        let end = Array("\r\n\r\n".utf8)
        // Ends: with the head, or when the server closes the connection.
        while true {
            let view = received.readableBytesView
            if let range = view.firstRange(of: end) {
                let bytes = received.readBytes(length: range.upperBound - view.startIndex) ?? []
                return String(decoding: bytes, as: UTF8.self)
            }
            try await receive()
        }
    }

    private mutating func receive() async throws {
        guard var piece = try await inbound.next(isolation: #isolation) else {
            throw BadAnswer(description: "the server closed the connection")
        }
        received.discardReadBytes()
        received.writeBuffer(&piece)
    }
}
