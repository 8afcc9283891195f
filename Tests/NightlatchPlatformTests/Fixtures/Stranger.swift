import Foundation

#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#elseif canImport(Glibc)
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// Things other than a file that may exist at a file's path.
enum Stranger: String, CaseIterable {
    case folder, pipe, localSocket

    func make(at path: String) throws {
        let isMade =
            switch self {
            case .folder: unsafe mkdir(path, 0o700) == 0
            case .pipe: unsafe mkfifo(path, 0o600) == 0
            case .localSocket: Self.makeSocket(at: path)
            }
        guard isMade else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    private static func makeSocket(at path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, streamType, 0)
        defer { close(descriptor) }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
