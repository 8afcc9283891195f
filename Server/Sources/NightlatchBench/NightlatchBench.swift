import ArgumentParser
import Foundation

/// Measures the figures of `docs/benchmarks.md`, prints a table and writes `bench-results.json`.
@main
struct NightlatchBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlatch-bench",
        abstract: "Measures stretching a PIN, unlocking and logging in, and writes bench-results.json.",
        subcommands: [FloodCommand.self])

    @Option(help: "Measure only benchmarks whose names begin with this text.")
    var only = ""

    @Option(help: "The file for the results.")
    var output = "bench-results.json"

    @Option(help: "Compare logins with this `nightlatch` of another build, by turns, and measure nothing else.")
    var beside: String?

    private var groups: [any BenchmarkGroup] {
        if let beside {
            let other = URL(filePath: beside)
            return [ComparisonBenchmark(other: other), PostgresComparisonBenchmark(other: other)]
        }
        return [
            KeyDerivationBenchmark(), DebugBuildBenchmark(), UnlockBenchmark(), PinEvaluationBenchmark(),
            TwoPartyUnlockBenchmark(), LoginBenchmark(), CodeFlowBenchmark(), WebhookLoginBenchmark(),
            FairnessBenchmark(),
            PostgresLoginBenchmark(),
            PostgresGrowthBenchmark(), ConsoleBenchmark(),
        ]
    }

    func run() async throws {
        var measurements: [Measurement] = []
        for group in groups
        where group.names.contains(where: { $0.hasPrefix(only) }) {
            measurements += try await group.measure().filter { $0.name.hasPrefix(only) }
        }
        guard !measurements.isEmpty else { throw ValidationError("no benchmark's name begins with \(only)") }
        for measurement in measurements { print(measurement.line) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(measurements).write(to: URL(fileURLWithPath: output))
    }
}

extension Measurement {
    /// The measurement as a row of the table.
    fileprivate var line: String {
        func pad(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let missed = isMissed ? " missed" : ""
        let limits = [bar.map { "bar \($0)\(missed)" }, goal.map { "goal \($0)" }].compactMap { $0 }
            .joined(separator: ", ")
        return pad(name, 44) + pad("\(value) \(unit)", 24) + limits
    }
}
