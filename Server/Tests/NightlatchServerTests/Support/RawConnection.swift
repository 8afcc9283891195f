import Foundation

/// A connection for raw bytes. A test waits for data for ten seconds at most.
final class RawConnection: Sendable {
    struct NotConnected: Error {}

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "connection")

    init(port: Int) throws {
        // 1 is SOCK_STREAM; its Swift type differs between systems.
        descriptor = socket(AF_INET, 1, 0)
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
    }

    deinit {
        close(descriptor)
    }

    /// Sends a part of a request. The server may close the connection before it has read all of it.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        // 0x4000 is MSG_NOSIGNAL on Linux; other systems ignore it.
        _ = unsafe Foundation.send(descriptor, bytes, bytes.count, 0x4000)
    }

    /// Closes only this side of the connection.
    func endSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Returns the next data; empty once the server has closed the connection, nil if there is none within ten seconds.
    ///
    /// Waits on a separate thread, because the server answers on the threads of the tests.
    func receive() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var piece = [UInt8](repeating: 0, count: 4096)
                let count = unsafe recv(descriptor, &piece, piece.count, 0)
                guard count >= 0 else { return continuation.resume(returning: errno == ECONNRESET ? "" : nil) }
                continuation.resume(returning: String(decoding: piece.prefix(count), as: UTF8.self))
            }
        }
    }
}
