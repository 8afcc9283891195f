import Foundation

/// A port for a server that is to come back to it.
enum LoopbackPort {
    struct NoneFree: Error {}

    /// A free one below those that the system gives out by itself: while the server is down, nobody is given it by chance.
    static func free() throws -> Int {
        // The system's begin at 32768 on Linux and at 49152 elsewhere.
        for port in (20_000..<32_768).shuffled().prefix(100) where isFree(port) { return port }
        throw NoneFree()
    }

    private static func isFree(_ port: Int) -> Bool {
        // 1 is SOCK_STREAM; its type in Swift differs between systems.
        let descriptor = socket(AF_INET, 1, 0)
        defer { close(descriptor) }
        // A process that is being started just then may inherit it, and would hold the port for as long as it lives: the server may take it
        // all the same if both allow it and nobody listens.
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
