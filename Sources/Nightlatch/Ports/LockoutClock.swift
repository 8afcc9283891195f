/// Time as lockout needs it.
public protocol LockoutClock: Sendable {
    /// The time since the device was started, running on in sleep. Nothing but a restart may set it back.
    func continuousTime() -> Duration
}
