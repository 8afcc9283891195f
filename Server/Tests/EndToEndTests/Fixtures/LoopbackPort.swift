import Foundation

/// A port for a server that is restarted on the same port.
enum LoopbackPort {
    struct NoneFree: Error {}

    /// Returns a free port below the range that the system assigns, so that no other process gets it while the server
    /// is down.
    static func free() throws -> Int {
        // The system's range begins at 32768 on Linux and at 49152 elsewhere.
        for port in (20_000..<32_768).shuffled().prefix(100) where isFree(port) { return port }
        throw NoneFree()
    }

    private static func isFree(_ port: Int) -> Bool {
        // 1 is SOCK_STREAM; its Swift type differs between systems.
        let descriptor = socket(AF_INET, 1, 0)
        defer { close(descriptor) }
        // A process that is started at this moment may inherit the socket and would hold the port until it ends. The
        // server can take the port all the same, because both sockets allow it and neither listens.
        var isShared: CInt = 1
        guard
            unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<CInt>.size)) == 0
        else { return false }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
