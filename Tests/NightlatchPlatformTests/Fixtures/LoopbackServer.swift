import Foundation
import Nightlatch
import NightlatchTesting

#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#elseif canImport(Glibc)
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// An HTTP server on the loopback address. It gives each request the scripted answer, one connection after the other.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        /// By names in lower case.
        let headers: [String: String]
        let body: String
    }

    enum Reply: Sendable {
        case answer(status: Int, headers: [String] = [], body: String)
        /// Sends the body byte by byte, twenty a second, until the client disconnects.
        case drip(body: String)
        /// Sends nothing; the connection stays open.
        case silence
        /// Closes the connection without an answer.
        case hangUp
        /// Keeps the connection open after the answer, even if the request asks to close it. The next request closes it
        /// without an answer.
        case answerOnce(status: Int, body: String)
        /// Sends a body without end, until the client stops reading.
        case endless
    }

    let port: UInt16
    private let listener: Int32
    private let seen: Shared<[Request]>
    private let silent: Shared<[Int32]>

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { seen.withLock { $0 } }

    init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        let listener = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let (seen, silent) = (Shared<[Request]>([]), Shared<[Int32]>([]))
        (self.seen, self.silent) = (seen, silent)
        // Uses its own thread, which ends with the listener: waiting must not block a thread that tasks share. Only
        // this thread closes the listener. If another thread closed it during an answer, the descriptor's number could
        // belong to another server by the next `accept`.
        Thread.detachNewThread {
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let request = Self.readRequest(connection) else {
                    close(connection)
                    continue
                }
                seen.withLock { $0.append(request) }
                switch reply(request) {
                case .silence:
                    silent.withLock { $0.append(connection) }
                    continue
                case .hangUp: break
                case .endless:
                    Self.write("HTTP/1.1 200 Status\r\nConnection: close\r\n\r\n", connection)
                    while Self.write(String(repeating: " ", count: 16_384), connection) {}
                case .drip(let body):
                    Self.write("HTTP/1.1 200 Status\r\nConnection: close\r\n\r\n", connection)
                    for character in body where !Self.isLeft(connection, within: 50) {
                        Self.write(String(character), connection)
                    }
                case .answerOnce(let status, let body):
                    Self.write(
                        "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body, connection)
                    if let request = Self.readRequest(connection) {
                        seen.withLock { $0.append(request) }
                    }
                case .answer(let status, let headers, let body):
                    let head = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close"]
                    Self.write((head + headers).joined(separator: "\r\n") + "\r\n\r\n" + body, connection)
                }
                close(connection)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in silent.withLock({ $0 }) { close(connection) }
    }

    private static func readRequest(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let first = lines[0].split(separator: " ").map(String.init)
                let headers = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
                    .reduce(into: [String: String]()) { headers, pair in
                        headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
                    }
                let body = String(text[end.upperBound...])
                if body.utf8.count >= headers["content-length"].flatMap(Int.init) ?? 0 {
                    return Request(method: first[0], path: first[1], headers: headers, body: body)
                }
            }
            let count = unsafe recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Whether the other end closes the connection within `milliseconds`.
    private static func isLeft(_ connection: Int32, within milliseconds: Int32) -> Bool {
        // After its request, the client sends only the end of the connection.
        var wish = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wish, 1, milliseconds) > 0
    }

    /// Returns whether the client received everything.
    @discardableResult
    private static func write(_ text: String, _ connection: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

#if canImport(Darwin)
private let noSignal: Int32 = 0
#else
private let noSignal = Int32(MSG_NOSIGNAL)
#endif
