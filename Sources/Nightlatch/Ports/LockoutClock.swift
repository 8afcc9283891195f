/// The clock for lockout and automatic locking.
public protocol LockoutClock: Sendable {
    /// Returns the time since the device was started, including sleep. Only a restart may set it back.
    func continuousTime() -> Duration

    /// Identifies the start of the device from which ``continuousTime()`` is counted; nil if the system does not say.
    ///
    /// It must not change before the next start. When it changes, the whole of ``continuousTime()`` is subtracted from
    /// a wait.
    var boot: BootID? { get }

    /// Returns once ``continuousTime()`` has reached `deadline`, or soon after.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func sleep(until deadline: Duration) async throws(CancellationError)
}

extension LockoutClock {
    /// Nil. Without a boot id, the only sign of a restart is that the clock has gone back.
    public var boot: BootID? { nil }
}
