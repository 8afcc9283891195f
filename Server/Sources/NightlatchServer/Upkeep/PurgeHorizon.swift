package import NightlatchWire

/// Up to which time a store may forget what has expired, if its wall clock may be wrong for a while.
///
/// Each look at the wall clock is moved on by the steady clock, and the earliest of the last ``patience`` counts. So where the wall clock jumps
/// ahead, nothing is forgotten because of that until ``patience`` has really passed. By then what was used before has really expired, and does
/// not serve again when the clock is put right. A process that has just started knows nothing of the clock and lets nothing be forgotten.
package struct PurgeHorizon: Sendable {
    private let patience: Duration
    /// In the order of their uptimes.
    private var looks: [(time: NumericDate, uptime: Duration)] = []

    /// - Parameter patience: More than a challenge, a journey or a signed message of one lives.
    package init(patience: Duration = .seconds(15 * 60)) {
        self.patience = patience
    }

    /// Takes a look, and says up to when what has expired may be forgotten; nil for nothing yet.
    ///
    /// - Parameters:
    ///   - now: What the wall clock says.
    ///   - uptime: The time of a clock that no one sets, from any moment on.
    package mutating func time(clock now: NumericDate, uptime: Duration) -> NumericDate? {
        looks.append((now, uptime))
        // One look that is old enough is kept, and all that are younger.
        while looks.count > 1, looks[1].uptime + patience <= uptime { looks.removeFirst() }
        guard let oldest = looks.first, oldest.uptime + patience <= uptime else { return nil }
        return looks.map { $0.time + (uptime - $0.uptime) }.min()
    }
}
