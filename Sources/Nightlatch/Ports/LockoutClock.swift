/// Time as lockout and locking by itself need it.
public protocol LockoutClock: Sendable {
    /// The time since the device was started, running on in sleep. Nothing but a restart may set it back.
    func continuousTime() -> Duration

    /// Returns once ``continuousTime()`` has reached `deadline`, or soon after.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func sleep(until deadline: Duration) async throws(CancellationError)
}
