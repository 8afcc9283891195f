public import CoreMetrics
import Synchronization

/// Keeps what is measured in memory, as numbers that grow by atomic operations, for Prometheus to fetch.
///
/// Making a metric takes a lock and looks its labels up; whoever measures keeps it. Metrics are never forgotten, so labels must come
/// from sets that are closed.
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
        /// One name is of one kind.
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

    // Kept: a count that begins anew would look like a restart.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// Every metric as it stands now.
    var snapshot: [(key: Key, samples: [PrometheusSample], kind: PrometheusKind)] {
        state.withLock { Array($0.series) }.map { ($0.key, $0.value.samples, $0.value.kind) }
    }

    /// The metric of that name and those labels, made if there is none yet. What asks for a name that is of another kind is given a
    /// metric that nobody sees.
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

/// A number of a metric: the metric's name is followed by `suffix`, its labels by `label`.
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

/// What a metric is to Prometheus.
enum PrometheusKind: String {
    case counter, gauge, histogram
}

/// A metric with one set of labels, in memory.
protocol PrometheusSeries: AnyObject, Sendable {
    var kind: PrometheusKind { get }
    /// What it says now.
    var samples: [PrometheusSample] { get }
}
