public import CoreMetrics
import Synchronization

/// Stores metrics in memory for Prometheus to scrape. Updates are atomic operations.
///
/// Creating a metric takes a lock and looks up its labels, so callers keep the metric that they create. Metrics are
/// never removed, so labels must come from closed sets.
public final class PrometheusMetrics: MetricsFactory {
    /// A metric with one set of labels.
    struct Key: Hashable {
        let name: String
        let labels: [PrometheusLabel]

        init(_ name: String, _ dimensions: [(String, String)]) {
            self.name = PrometheusMetrics.name(name)
            labels = dimensions.map { PrometheusLabel(name: PrometheusMetrics.name($0), value: $1) }
        }
    }

    private let state = Mutex(State())

    private struct State {
        var series: [Key: any PrometheusSeries] = [:]
        /// The kind of each name. A name has only one kind.
        var kinds: [String: PrometheusKind] = [:]
    }

    public init() {}

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions) { PrometheusCounter() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions) { PrometheusGauge() }
    }

    public func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return find(label, dimensions) { PrometheusGauge() } }
        return find(label, dimensions) { PrometheusHistogram(.counts) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions) { PrometheusHistogram(.durations) }
    }

    // Metrics are kept: a counter that starts at 0 again would look like a restart.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// The current values of all metrics.
    var snapshot: [(key: Key, samples: [PrometheusSample], kind: PrometheusKind)] {
        state.withLock { Array($0.series) }.map { ($0.key, $0.value.samples, $0.value.kind) }
    }

    /// Returns the metric with this name and these labels, and creates it if it does not exist.
    ///
    /// If a metric of another kind already uses the name, the caller gets a metric that is not exported.
    private func find<Series: PrometheusSeries>(
        _ name: String,
        _ dimensions: [(String, String)],
        _ make: () -> Series
    ) -> Series {
        state.withLock { state in
            let key = Key(name, dimensions)
            if let found = state.series[key] as? Series { return found }
            let new = make()
            guard state.kinds[key.name, default: new.kind] == new.kind, state.series[key] == nil else { return new }
            state.kinds[key.name] = new.kind
            state.series[key] = new
            return new
        }
    }
}

/// A label of a metric.
struct PrometheusLabel: Hashable {
    let name: String
    let value: String
}

/// A sample of a metric. `suffix` is appended to the metric's name, `label` to its labels.
struct PrometheusSample {
    let suffix: String
    let label: PrometheusLabel?
    let value: String

    init(_ value: String, suffix: String = "", label: PrometheusLabel? = nil) {
        self.suffix = suffix
        self.label = label
        self.value = value
    }
}

/// A Prometheus metric type.
enum PrometheusKind: String {
    case counter, gauge, histogram
}

/// A metric with one set of labels, in memory.
protocol PrometheusSeries: AnyObject, Sendable {
    var kind: PrometheusKind { get }
    /// The current samples.
    var samples: [PrometheusSample] { get }
}
