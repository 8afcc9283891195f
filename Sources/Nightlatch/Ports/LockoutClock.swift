/// Time as lockout and locking by itself need it.
public protocol LockoutClock: Sendable {
    /// The time since the device was started, running on in sleep. Nothing but a restart may set it back.
    func continuousTime() -> Duration

    /// The start of the device that ``continuousTime()`` is counted from; nil if the system does not say. It must stay the same until the
    /// next start: a wait is shorter by the whole of ``continuousTime()`` when it changes.
    var boot: BootID? { get }

    /// Returns once ``continuousTime()`` has reached `deadline`, or soon after.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func sleep(until deadline: Duration) async throws(CancellationError)
}

extension LockoutClock {
    /// Nil: a restart is noticed only by a clock that went back.
    public var boot: BootID? { nil }
}
