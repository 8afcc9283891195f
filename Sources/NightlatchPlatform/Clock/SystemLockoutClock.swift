public import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's clock that keeps counting during sleep and ignores changes of the date: `CLOCK_BOOTTIME` on Linux,
/// `CLOCK_MONOTONIC_RAW` on Apple systems. The kernel's `boot_id` on Linux and `kern.bootsessionuuid` on Apple systems
/// identify the device's start, if they can be read.
///
/// On Linux, an account that may create time namespaces
/// ([time_namespaces(7)](https://man7.org/linux/man-pages/man7/time_namespaces.7.html)) can start the process in a
/// namespace that sets this clock ahead by any amount. Every wait is then over. Administrators may create time
/// namespaces. On systems with unprivileged user namespaces, every account may. Such an account can also replace the
/// boot id, and restore an old copy of a ``FileStore``'s file. So on such a machine, a lockout stops a user of the app,
/// but not a user who can run other programs.
/// programs.
public struct SystemLockoutClock: LockoutClock {
    public init() {}

    public func continuousTime() -> Duration {
        var time = timespec()
        let status = unsafe clock_gettime(continuousClock, &time)
        precondition(status == 0, "the system has no continuous clock")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    public var boot: BootID? { bootOfSystem }

    public func sleep(until deadline: Duration) async throws(CancellationError) {
        // Ends: at the deadline, or when the task is cancelled.
        while true {
            let left = deadline - continuousTime()
            guard left > .zero else { return }
            do {
                // Sleeps in short pieces, because the clock of tasks may stop while the system sleeps.
                try await Task.sleep(for: min(left, .seconds(10)))
            } catch {
                throw CancellationError()
            }
        }
    }
}

#if canImport(Darwin)
private let continuousClock = CLOCK_MONOTONIC_RAW
#else
private let continuousClock = CLOCK_BOOTTIME
#endif

private let bootOfSystem = BootID.ofSystem()
