import Foundation

/// Measures the cost of a PIN in an app's debug build, which compiles the package without optimisation.
struct DebugBuildBenchmark: BenchmarkGroup {
    let names = ["argon2id_debug_dependent_cpu_s"]

    struct NoSampleApp: Error, CustomStringConvertible {
        let output: String
        var description: String {
            "scripts/check-sample-app, run from the project's folder, printed no processor time: \(output)"
        }
    }

    func measure() async throws -> [Measurement] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "scripts/check-sample-app")
        process.arguments = ["path", "native", "debug"]
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let match = output.firstMatch(of: /one PIN: ([0-9.]+) s/),
            let seconds = Double(match.1)
        else { throw NoSampleApp(output: output) }
        return [Measurement("argon2id_debug_dependent_cpu_s", seconds, "s", bar: 1, better: .lower)]
    }
}
