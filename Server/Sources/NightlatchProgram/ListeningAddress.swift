import Foundation

/// The host and port to listen on. The port is known before the server listens, because the default issuer contains it.
package struct ListeningAddress {
    package let host: String
    package let port: Int

    /// Parses `HOST:PORT`, with an IPv6 address in brackets. Port 0 is replaced by a free port of the loopback
    /// interface.
    package init(_ text: String, option: String = "--listen") throws(CommandFailure) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw CommandFailure(.usage, "\(option) takes HOST:PORT, not “\(text)”.")
        }
        let host = text[..<colon].trimmingCharacters(in: ["[", "]"])
        guard !host.isEmpty else { throw CommandFailure(.usage, "\(option) takes HOST:PORT, not “\(text)”.") }
        self.host = host
        self.port = port == 0 ? try Self.freePort() : Int(port)
    }

    package var text: String { "\(urlHost):\(port)" }

    /// The host for connections from this machine. An unspecified address is replaced by the loopback address.
    package var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// The host in the format of a URL.
    package var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Returns a port that was free: binds a socket, reads its port number, and closes the socket.
    ///
    /// Another process may take the port before the server listens. Listening then fails, and the next start finds
    /// another port.
    private static func freePort() throws(CommandFailure) -> Int {
        // 1 is SOCK_STREAM; its type in Swift differs between systems.
        let descriptor = socket(AF_INET, 1, 0)
        defer { _ = Foundation.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw CommandFailure(.unavailable, "found no free port to listen on.") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
