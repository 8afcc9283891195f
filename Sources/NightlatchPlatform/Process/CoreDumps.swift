#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps the memory of the process, and so the secrets in it, out of core dumps.
public enum CoreDumps {
    /// Forbids core dumps of this process and of all that it starts. A program calls this before it has secrets; there is no way back.
    ///
    /// Handlers such as systemd-coredump go by the same limit. Debuggers of the same user and swap files are outside of it.
    public static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let status = unsafe setrlimit(coreFileSize, &none)
        // Any process may lower its own limits.
        precondition(status == 0, "the limit of core dumps cannot be lowered")
    }
}

#if canImport(Glibc)
private let coreFileSize = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#else
private let coreFileSize = RLIMIT_CORE
#endif
