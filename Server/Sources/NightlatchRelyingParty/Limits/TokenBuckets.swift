import Synchronization

/// A token bucket for each key, in memory of a fixed size.
///
/// Keys are hashed to a table of buckets under a secret of this process. Two keys may share a bucket, and then share a
/// limit; with 65,536 buckets this is rare, and an attacker cannot choose it. A bucket is one number: the time at which
/// it will be full again, as in the generic cell rate algorithm ([ITU-T I.371, annex
/// A](https://www.itu.int/rec/T-REC-I.371)).
package final class TokenBuckets: Sendable {
    private static let bucketCount = 1 << 16

    private let interval: Duration
    private let burst: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    /// The time at which each bucket is full again, relative to `start`.
    private let fullTimes = Mutex([Duration](repeating: .zero, count: bucketCount))

    /// - Parameters:
    ///   - limit: The limit of each bucket.
    ///   - now: A monotonic clock.
    package init(_ limit: RateLimit, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        interval = limit.period / limit.count
        burst = interval * limit.burst
        self.now = now
        start = now()
    }

    /// Takes a token from the bucket of `key`.
    ///
    /// - Returns: Nil if there was a token; otherwise the time until there is a token.
    package func take(for key: some Hashable) -> Duration? { wait(for: key, takes: true) }

    /// Returns the time until there is a token in the bucket of `key`; nil if there is one. Takes nothing.
    package func wait(for key: some Hashable) -> Duration? { wait(for: key, takes: false) }

    private func wait(for key: some Hashable, takes: Bool) -> Duration? {
        var hasher = Hasher()
        hasher.combine(key)
        let index = hasher.finalize() & (Self.bucketCount - 1)
        let time = now() - start
        return fullTimes.withLock { fullTimes in
            let fullTime = max(fullTimes[index], time) + interval
            let wait = fullTime - time - burst
            guard wait <= .zero else { return wait }
            if takes { fullTimes[index] = fullTime }
            return nil
        }
    }
}
