package import NightlatchRelyingParty

/// When a ``PurgeService`` runs, and the clocks by which it judges what has expired.
package struct PurgeTiming: Sendable {
    /// The wall clock.
    let clock: WallClock
    /// A monotonic clock.
    let uptime: @Sendable () -> Duration
    /// Delays the purge after a jump of the wall clock.
    let horizon: PurgeHorizon
    let recurrence: Recurrence

    /// Creates a timing.
    ///
    /// - Parameter uptime: A monotonic clock; nil for the system's.
    package init(
        clock: WallClock,
        uptime: (@Sendable () -> Duration)? = nil,
        horizon: PurgeHorizon,
        recurrence: Recurrence = Recurrence(every: .seconds(60))
    ) {
        self.clock = clock
        let start = ContinuousClock.now
        self.uptime = uptime ?? { .now - start }
        self.horizon = horizon
        self.recurrence = recurrence
    }
}
