import Foundation
import Synchronization

/// An app's backend on the loopback address. It gives each request the same reply, one connection after the other.
final class ScriptedBackend: Sendable {
    struct Request: Sendable {
        /// The method and the target.
        let line: String
        /// By names in lower case.
        let headers: [String: String]
        let body: String
    }

    enum Reply: Sendable {
        case answer(status: Int, headers: [String] = [], body: String)
        /// Sends a head and the first part of the body, and keeps the connection open.
        case part(of: String)
        /// Sends a body without end, until the client stops reading.
        case endless
        /// Sends nothing, and keeps the connection open.
        case silence
        /// Closes the connection without an answer.
        case hangUp
    }

    let url: String
    private let listener: Int32
    private let record: Record

    private final class Record: Sendable {
        let requests = Mutex<[Request]>([])
        /// The connections that stay open.
        let open = Mutex<[Int32]>([])
    }

    var requests: [Request] { record.requests.withLock { $0 } }

    init(_ reply: Reply) throws {
        // 1 is SOCK_STREAM; its Swift type differs between systems.
        let listener = socket(AF_INET, 1, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let record = Record()
        self.record = record
        // Uses its own thread, which ends with the listener: waiting must not block a thread that tasks share.
        Thread.detachNewThread {
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let request = Self.read(connection) else {
                    close(connection)
                    continue
                }
                record.requests.withLock { $0.append(request) }
                if Self.send(reply, to: connection) {
                    record.open.withLock { $0.append(connection) }
                } else {
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in record.open.withLock({ $0 }) { close(connection) }
    }

    /// Returns whether the connection stays open.
    private static func send(_ reply: Reply, to connection: Int32) -> Bool {
        switch reply {
        case .answer(let status, let headers, let body):
            let head = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close"]
            _ = write((head + headers).joined(separator: "\r\n") + "\r\n\r\n" + body, to: connection)
            return false
        case .part(let body):
            let length = body.utf8.count + 1
            return write("HTTP/1.1 200 Status\r\nContent-Length: \(length)\r\n\r\n" + body, to: connection)
        case .endless:
            _ = write("HTTP/1.1 200 Status\r\nConnection: close\r\n\r\n", to: connection)
            while write(String(repeating: " ", count: 16_384), to: connection) {}
            return false
        case .silence: return true
        case .hangUp: return false
        }
    }

    private static func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
                    headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
                }
                let body = String(text[end.upperBound...])
                if body.utf8.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 {
                    return Request(line: lines[0], headers: headers, body: body)
                }
            }
            let count = unsafe recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
    }

    /// Returns whether the client received everything.
    private static func write(_ text: String, to connection: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // 0x4000 is MSG_NOSIGNAL on Linux; other systems ignore it.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(connection, $0.baseAddress, $0.count, 0x4000)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
