/// A limit on requests: a steady number in each period, and a burst after a pause.
public struct RateLimit: Hashable, Sendable {
    public let count: Int
    public let period: Duration
    public let burst: Int

    /// - Precondition: All three values are positive.
    public init(count: Int, period: Duration, burst: Int) {
        precondition(count > 0 && period > .zero && burst > 0, "count, period and burst must be above zero")
        self.count = count
        self.period = period
        self.burst = burst
    }
}
