import NightlatchRelyingParty
import Synchronization
import Testing

@Suite("Token buckets of a rate limit")
struct TokenBucketsTests {
    /// A clock that moves only on command.
    private final class ManualClock: Sendable {
        private let instant = Mutex(ContinuousClock.now)

        func now() -> ContinuousClock.Instant { instant.withLock { $0 } }

        func advance(by duration: Duration) { instant.withLock { $0 += duration } }
    }

    private func buckets(_ count: Int, per period: Duration, burst: Int) -> (TokenBuckets, ManualClock) {
        let clock = ManualClock()
        return (TokenBuckets(RateLimit(count: count, period: period, burst: burst), now: clock.now), clock)
    }

    @Test("A burst is let through, then the wait is reported, and after it the next request is let through")
    func burst() {
        let (buckets, clock) = buckets(2, per: .seconds(10), burst: 3)
        for _ in 0..<3 { #expect(buckets.take(for: "a") == nil) }
        // A refused request takes nothing: the wait does not grow.
        for _ in 0..<100 { #expect(buckets.take(for: "a") == .seconds(5)) }
        clock.advance(by: .seconds(4))
        #expect(buckets.take(for: "a") == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(buckets.take(for: "a") == nil)
        #expect(buckets.take(for: "a") == .seconds(5))
    }

    @Test("After any rest no more than the burst is let through")
    func rest() {
        let (buckets, clock) = buckets(1, per: .seconds(1), burst: 5)
        #expect(buckets.take(for: "a") == nil)
        clock.advance(by: .seconds(1_000_000))
        #expect((0..<20).count { _ in buckets.take(for: "a") == nil } == 5)
    }

    @Test("The rate itself is let through without end")
    func rate() {
        let (buckets, clock) = buckets(50, per: .seconds(1), burst: 1)
        for _ in 0..<10_000 {
            #expect(buckets.take(for: "a") == nil)
            clock.advance(by: .milliseconds(20))
        }
    }

    @Test("Each key is counted separately, in a table of fixed size for any number of keys")
    func keys() {
        let (buckets, _) = buckets(1, per: .seconds(60), burst: 1)
        #expect(buckets.take(for: "a") == nil)
        // Of a thousand other keys, hardly any shares its bucket with an earlier one.
        #expect((0..<1000).count { buckets.take(for: $0) == nil } > 950)
        #expect(buckets.take(for: "a") != nil)
        let letThrough = (0..<200_000).count { buckets.take(for: "key \($0)") == nil }
        #expect(letThrough < 65_536)
    }

    @Test("The limit is exact when many tasks ask at once")
    func parallel() async {
        let (buckets, _) = buckets(1, per: .seconds(60), burst: 100)
        let letThrough = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 { group.addTask { buckets.take(for: "a") == nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(letThrough == 100)
    }
}
