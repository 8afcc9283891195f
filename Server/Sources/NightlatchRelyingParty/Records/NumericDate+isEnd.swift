package import NightlatchWire

extension NumericDate {
    /// Whether this can be the expiry of a record with the lifetime `life` that was written before `now`.
    ///
    /// If not, the record was written while the clock was ahead. The clocks of two processes may differ by
    /// `MessageLife.clockTolerance`.
    package func isEnd(of life: Duration, now: NumericDate) -> Bool {
        self <= now + life + MessageLife.clockTolerance
    }
}
