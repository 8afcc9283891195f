import CoreMetrics
import Synchronization

/// A counter. It only grows.
final class PrometheusCounter: CounterHandler, PrometheusSeries {
    private let value = Atomic<Int64>(0)

    var kind: PrometheusKind { .counter }
    var samples: [PrometheusSample] { [PrometheusSample(String(value.load(ordering: .relaxed)))] }

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { value.store(0, ordering: .relaxed) }
}

/// A gauge. It goes up and down.
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
        // Ends: another iteration requires that another thread changed the value in between.
        while true {
            let sum = (Double(bitPattern: known) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: known, desired: sum, ordering: .relaxed)
            if exchanged { return }
            known = original
        }
    }
}

/// A histogram with fixed buckets.
final class PrometheusHistogram: TimerHandler, RecorderHandler, PrometheusSeries {
    /// The upper bounds of the buckets, and the unit of the exported values.
    struct Scale: Sendable {
        /// In the recorded unit, ascending.
        let bounds: [Int64]
        /// The number of recorded units in one exported unit.
        let divisor: Double

        /// From half a millisecond to ten seconds. Recorded in nanoseconds, exported in seconds.
        static let durations = Scale(
            bounds: [
                500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
                10_000_000,
            ]
            .map { $0 * 1000 }, divisor: 1_000_000_000)
        /// Powers of two up to 1024.
        static let counts = Scale(bounds: (0...10).map { 1 << $0 }, divisor: 1)
    }

    /// An atomic number that can be an array's element.
    private final class Cell: Sendable {
        let value = Atomic<Int64>(0)
    }

    private let scale: Scale
    /// The number of values in each bucket: those up to its bound and above the next lower bound. The last bucket is
    /// for values above all bounds.
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

    /// Ignores a value that is not a number. A value too large for an integer counts as the largest integer.
    func record(_ value: Double) {
        guard !value.isNaN else { return }
        record(Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max))
    }

    /// The current samples. The count is summed from the buckets, so count and buckets agree even if values are
    /// recorded at the same time.
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
