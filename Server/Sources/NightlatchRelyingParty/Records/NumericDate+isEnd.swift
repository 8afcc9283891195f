package import NightlatchWire

extension NumericDate {
    /// Whether this can be the expiry of a life of `life` that has begun.
    ///
    /// Otherwise it was written while the clock was ahead. The clocks of two processes may differ by
    /// `MessageLife.clockTolerance`.
    package func isEnd(of life: Duration, now: NumericDate) -> Bool {
        self <= now + life + MessageLife.clockTolerance
    }
}
