public import Nightlatch

/// A continuous clock that only a test moves. Copies of the value share it.
public struct ManualClock: LockoutClock {
    private let time: Shared<Duration>

    /// - Parameter uptime: How long the device has been running.
    public init(uptime: Duration = .seconds(3600)) {
        time = Shared(uptime)
    }

    public func continuousTime() -> Duration {
        time.withLock { $0 }
    }

    public func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    /// The device was started again, and has run for `uptime` since.
    public func reboot(uptime: Duration = .zero) {
        time.withLock { $0 = uptime }
    }
}
