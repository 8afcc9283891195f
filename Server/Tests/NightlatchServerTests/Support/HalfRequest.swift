import Foundation

/// A connection that sends the beginning of a request and then nothing.
enum HalfRequest {
    struct NotConnected: Error {}

    /// Whether the server closes the connection, and does so before ten seconds have passed.
    static func isClosed(byServerOn port: Int) throws -> Bool {
        // 1 is SOCK_STREAM; its type in Swift differs between systems.
        let descriptor = socket(AF_INET, 1, 0)
        defer { _ = close(descriptor) }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected,
            unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size)) == 0
        else { throw NotConnected() }
        let beginning = "POST /v1/login/begin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
        guard unsafe send(descriptor, beginning, beginning.utf8.count, 0) == beginning.utf8.count else {
            throw NotConnected()
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        while true {
            switch unsafe recv(descriptor, &answer, answer.count, 0) {
            case 0: return true
            case 1...: continue
            default: return errno == ECONNRESET
            }
        }
    }
}
