#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps the memory of the process, and the secrets in it, out of core dumps.
public enum CoreDumps {
    /// Forbids core dumps of this process and its child processes. Call it before the program has secrets. It cannot be
    /// undone.
    ///
    /// The limit also applies to handlers such as systemd-coredump. It does not apply to debuggers of the same user or
    /// to swap files.
    public static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let status = unsafe setrlimit(coreFileSize, &none)
        // Every process may lower its own limits.
        precondition(status == 0, "the limit for core dumps could not be lowered")
    }
}

#if canImport(Glibc)
private let coreFileSize = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#else
private let coreFileSize = RLIMIT_CORE
#endif
