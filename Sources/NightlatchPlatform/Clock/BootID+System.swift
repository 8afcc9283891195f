import Foundation
import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension BootID {
    /// The id of the device's current start for ``SystemLockoutClock``. Nil if the system provides no reliable one.
    static func ofSystem() -> BootID? {
        guard let text = textOfSystem(), let id = UUID(uuidString: text) else { return nil }
        // Kernels without entropy and containers that hide the file have this id at every start.
        guard id != UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) else { return nil }
        return BootID(id.uuidString)
    }
}

#if canImport(Darwin)
extension BootID {
    fileprivate static func textOfSystem() -> String? {
        var bytes = [CChar](repeating: 0, count: 64)
        var count = bytes.count
        guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#else
extension BootID {
    fileprivate static func textOfSystem() -> String? { kernelText(at: "/proc/sys/kernel/random/boot_id") }

    /// The kernel's text in the file `path` of `/proc`. Nil if another file is mounted over it.
    ///
    /// systemd-nspawn mounts a file with a new id at each start of a container, although the clock continues. With that
    /// id, a restart of the container would end a wait.
    package static func kernelText(at path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var (own, kernel) = (stat(), stat())
        guard unsafe fstat(file, &own) == 0, unsafe stat("/proc/self", &kernel) == 0, own.st_dev == kernel.st_dev
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
#endif
