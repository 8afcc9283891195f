/// A group of figures that are measured in the same run.
protocol BenchmarkGroup {
    var names: [String] { get }
    func measure() async throws -> [Measurement]
}
