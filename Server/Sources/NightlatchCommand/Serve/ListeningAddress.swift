import Foundation

/// Where the relying party listens: a host and a port that is known before it does, because its default name holds it.
package struct ListeningAddress {
    package let host: String
    package let port: Int

    /// Reads `HOST:PORT`; an IPv6 address stands in brackets. A free port of the loopback interface is looked for in place of
    /// port 0.
    package init(_ text: String, option: String = "--listen") throws(CommandFailure) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw CommandFailure(.usage, "\(option) takes HOST:PORT, not “\(text)”.")
        }
        let host = text[..<colon].trimmingCharacters(in: ["[", "]"])
        guard !host.isEmpty else { throw CommandFailure(.usage, "\(option) takes HOST:PORT, not “\(text)”.") }
        self.host = host
        self.port = port == 0 ? try Self.freePort() : Int(port)
    }

    /// As ``init(_:option:)``, for a setting.
    init(_ told: ToldValue) throws(CommandFailure) {
        try self.init(told.text, option: told.name)
    }

    var text: String { "\(urlHost):\(port)" }

    /// The host at which it is reached from this machine: one that stands for all addresses is none to connect to.
    var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    /// The host as it stands in a URL.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// A port that was free a moment ago: bound, asked for and let go. Another process may take it in between; listening
    /// then fails, and starting again finds another.
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
