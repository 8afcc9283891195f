import NightlatchServer
import NightlatchWire

/// Evaluating a guess at a two-party PIN, as the server does once it is charged.
struct PinEvaluationBenchmark: BenchmarkGroup {
    let names = ["guess_evaluation_server_cpu_ms"]

    private let rounds = 200

    func measure() async throws -> [Measurement] {
        let hardener = PinHardener(masterKey: .random())
        let device = DeviceID.random()
        let key = try await hardener.makeKey(for: device, epoch: .first)
        // Whichever point: a public key is one.
        guard let element = BlindedElement(rawValue: key.publicKey.rawValue) else { throw PinHardener.Failure.noPoint }
        _ = try await hardener.evaluate(element, with: key, of: device)
        let start = ProcessorTime.ofThisProcess()
        for _ in 0..<rounds {
            guard await hardener.isPoint(element) else { throw PinHardener.Failure.noPoint }
            _ = try await hardener.evaluate(element, with: key, of: device)
        }
        let time = (ProcessorTime.ofThisProcess() - start) / Double(rounds)
        return [Measurement("guess_evaluation_server_cpu_ms", time, "ms", goal: 5, better: .lower)]
    }
}
