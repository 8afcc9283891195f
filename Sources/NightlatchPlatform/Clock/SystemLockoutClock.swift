public import Nightlatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's clock that runs on in sleep and that nobody can set: `CLOCK_BOOTTIME` on Linux, `CLOCK_MONOTONIC_RAW` on Apple
/// systems.
public struct SystemLockoutClock: LockoutClock {
    public init() {}

    public func continuousTime() -> Duration {
        var time = timespec()
        let status = unsafe clock_gettime(continuousClock, &time)
        precondition(status == 0, "the system has no continuous clock")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    public func sleep(until deadline: Duration) async throws(CancellationError) {
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
