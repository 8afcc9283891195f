/// Figures that one run measures together.
protocol BenchmarkGroup {
    var names: [String] { get }
    func measure() async throws -> [Measurement]
}
