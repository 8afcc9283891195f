import CoreMetrics
import NightlatchServer
import Testing

@Suite("Metrics in Prometheus's format")
struct PrometheusMetricsTests {
    private let metrics = PrometheusMetrics()

    @Test("A counter counts for its labels, and the same labels mean the same counter")
    func counter() {
        metrics.makeCounter(label: "a_total", dimensions: [("kind", "x")]).increment(by: 2)
        metrics.makeCounter(label: "a_total", dimensions: [("kind", "y")]).increment(by: 1)
        metrics.makeCounter(label: "a_total", dimensions: [("kind", "x")]).increment(by: 3)
        #expect(metrics.text == "# TYPE a_total counter\na_total{kind=\"x\"} 5\na_total{kind=\"y\"} 1\n")
    }

    @Test("A gauge can rise and fall, also when many tasks change it at once")
    func gauge() async {
        let gauge = metrics.makeMeter(label: "g", dimensions: [])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        gauge.increment(by: 2)
                        gauge.decrement(by: 1)
                    }
                }
            }
        }
        #expect(metrics.text == "# TYPE g gauge\ng 8000.0\n")
        gauge.set(-0.5)
        #expect(metrics.text == "# TYPE g gauge\ng -0.5\n")
    }

    @Test("A duration is counted in all buckets whose bound it does not exceed, and reported in seconds")
    func histogram() {
        let timer = metrics.makeTimer(label: "t", dimensions: [("v", "1")])
        for nanoseconds in [1, 500_000, 500_001, 20_000_000_000] as [Int64] { timer.recordNanoseconds(nanoseconds) }
        let lines = metrics.text.split(separator: "\n")
        #expect(lines.first == "# TYPE t histogram")
        #expect(lines.contains(#"t_bucket{v="1",le="0.0005"} 2"#))
        #expect(lines.contains(#"t_bucket{v="1",le="0.001"} 3"#))
        #expect(lines.contains(#"t_bucket{v="1",le="10.0"} 3"#))
        #expect(lines.contains(#"t_bucket{v="1",le="+Inf"} 4"#))
        #expect(lines.contains(#"t_count{v="1"} 4"#))
        #expect(lines.contains(#"t_sum{v="1"} 20.001000002"#))
    }

    @Test("A recorded value that is not a number, or too large for an integer, causes no crash")
    func foreignValues() {
        let recorder = metrics.makeRecorder(label: "r", dimensions: [], aggregate: true)
        for value in [Double.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 3] { recorder.record(value) }
        #expect(metrics.text.contains("r_count 5\n"))
        #expect(metrics.text.contains(#"r_bucket{le="4.0"} 3"#))
    }

    @Test("A library's names and labels that Prometheus cannot parse are escaped")
    func foreignNames() {
        metrics.makeCounter(label: "9 lives.of-a cat", dimensions: [("a.b", "\"\\\n")]).increment(by: 1)
        #expect(metrics.text == "# TYPE _9_lives_of_a_cat counter\n_9_lives_of_a_cat{a_b=\"\\\"\\\\\\n\"} 1\n")
    }

    @Test("A name used for two kinds of metric keeps its first kind")
    func otherKind() {
        metrics.makeCounter(label: "n", dimensions: []).increment(by: 1)
        metrics.makeTimer(label: "n", dimensions: []).recordNanoseconds(1)
        metrics.makeTimer(label: "n", dimensions: [("a", "b")]).recordNanoseconds(1)
        #expect(metrics.text.contains("n 1\n"))
        #expect(metrics.text.contains("# TYPE n ") && metrics.text.split(separator: "# TYPE").count == 1)
    }
}
