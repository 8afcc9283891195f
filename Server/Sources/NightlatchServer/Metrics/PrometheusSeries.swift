import CoreMetrics
import Synchronization

/// A count that only grows.
final class PrometheusCounter: CounterHandler, PrometheusSeries {
    private let value = Atomic<Int64>(0)

    var kind: PrometheusKind { .counter }
    var samples: [PrometheusSample] { [PrometheusSample(String(value.load(ordering: .relaxed)))] }

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { value.store(0, ordering: .relaxed) }
}

/// A number that goes up and down.
final class PrometheusGauge: MeterHandler, RecorderHandler, PrometheusSeries {
    private let bits = Atomic<UInt64>(0)

    var kind: PrometheusKind { .gauge }
    var samples: [PrometheusSample] { [PrometheusSample("\(Double(bitPattern: bits.load(ordering: .relaxed)))")] }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func decrement(by amount: Double) { increment(by: -amount) }

    func increment(by amount: Double) {
        var known = bits.load(ordering: .relaxed)
        // Ends: each round more needs another thread that has added to the value in between.
        while true {
            let sum = (Double(bitPattern: known) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: known, desired: sum, ordering: .relaxed)
            if exchanged { return }
            known = original
        }
    }
}

/// How many values were how large, in buckets that never change.
final class PrometheusHistogram: TimerHandler, RecorderHandler, PrometheusSeries {
    /// The upper bounds of the buckets, and what they are told in.
    struct Scale: Sendable {
        /// In the unit that is recorded, ascending.
        let bounds: [Int64]
        /// How many of that unit are one of the unit that is told.
        let divisor: Double

        /// From half a millisecond to ten seconds; recorded in nanoseconds, told in seconds.
        static let durations = Scale(
            bounds: [
                500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
                10_000_000,
            ]
            .map { $0 * 1000 }, divisor: 1_000_000_000)
        /// Powers of two up to 1024.
        static let counts = Scale(bounds: (0...10).map { 1 << $0 }, divisor: 1)
    }

    /// An atomic number that an array can hold.
    private final class Cell: Sendable {
        let value = Atomic<Int64>(0)
    }

    private let scale: Scale
    /// How many values lie in each bucket and in no lower one; the last is for those beyond all bounds.
    private let buckets: [Cell]
    private let sum = Atomic<Int64>(0)

    init(_ scale: Scale) {
        self.scale = scale
        buckets = (0...scale.bounds.count).map { _ in Cell() }
    }

    var kind: PrometheusKind { .histogram }

    func recordNanoseconds(_ duration: Int64) { record(duration) }

    func record(_ value: Int64) {
        var index = 0
        while index < scale.bounds.count, value > scale.bounds[index] { index += 1 }
        buckets[index].value.wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(value, ordering: .relaxed)
    }

    /// A value that is no number is none to count; one that is too large for an integer counts as the largest.
    func record(_ value: Double) {
        guard !value.isNaN else { return }
        record(Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max))
    }

    /// The count is that of the buckets, so that the two agree whatever is recorded meanwhile.
    var samples: [PrometheusSample] {
        var count: Int64 = 0
        var samples: [PrometheusSample] = []
        for (index, bucket) in buckets.enumerated() {
            count += bucket.value.load(ordering: .relaxed)
            let bound = index < scale.bounds.count ? "\(Double(scale.bounds[index]) / scale.divisor)" : "+Inf"
            samples.append(
                PrometheusSample(
                    String(count), suffix: "_bucket", label: PrometheusLabel(name: "le", value: bound)))
        }
        let total = Double(sum.load(ordering: .relaxed)) / scale.divisor
        return samples + [
            PrometheusSample("\(total)", suffix: "_sum"), PrometheusSample(String(count), suffix: "_count"),
        ]
    }
}
