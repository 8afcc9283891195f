public import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's clock that runs on in sleep and that setting the date does not move: `CLOCK_BOOTTIME` on Linux,
/// `CLOCK_MONOTONIC_RAW` on Apple systems. One start of the device is told from another by the kernel's `boot_id` on Linux and by
/// `kern.bootsessionuuid` on Apple systems, where they can be read.
///
/// On Linux whoever starts the process can start it in a time namespace of its own
/// ([time_namespaces(7)](https://man7.org/linux/man-pages/man7/time_namespaces.7.html)), in which that clock is ahead by as much as
/// they like, and every wait is over. The system lets administrators do so, and where it has user namespaces for all, the person
/// themself. Whoever can do that can hide the boot id behind one of their own too. That person can put back an old copy of a ``FileStore``'s file as well: on such a machine a lockout holds against
/// whoever has the app before them, not against whoever may run programs of their own.
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
                // In short pieces, because the clock of tasks may stand still while the system sleeps.
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
