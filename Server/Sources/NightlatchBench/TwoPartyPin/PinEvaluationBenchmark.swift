import Foundation
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// Evaluating a guess at a two-party PIN: all that the server does for the request, and what of it is the function.
struct PinEvaluationBenchmark: BenchmarkGroup {
    let names = ["guess_evaluation_server_cpu_ms", "guess_function_cpu_ms"]

    /// A window of each device is used up but for one guess, as under the limit that a server has if nothing else is said.
    private let deviceCount = 60
    private let guessCount = GuessLimit.default.count - 1

    func measure() async throws -> [Measurement] {
        let hardener = PinHardener(masterKey: .random())
        return [
            Measurement(
                "guess_evaluation_server_cpu_ms", try await requests(hardener), "ms", goal: 5, better: .lower),
            Measurement("guess_function_cpu_ms", try await function(hardener), "ms", better: .lower),
        ]
    }

    /// Milliseconds of the server's process for a request over HTTP: its signature, the charge on disk, the function and its proof, and what
    /// is kept on disk of it.
    private func requests(_ hardener: PinHardener) async throws -> Double {
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString)"
        let server = ServerProcess(
            program: Bundle.main.bundleURL.appendingPathComponent("nightlatch"), folder: folder,
            arguments: ["--address-rate", "0", "--account-rate", "0"])
        let interruption = Interruption {
            server.retire()
            // What is left over lies in a temporary folder.
            try? FileManager.default.removeItem(atPath: folder)
        }
        defer { interruption.clearAway() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The first shares its work with no figure: caches fill, and the server's memory is made.
        let devices = try (0...deviceCount).map(LoadDevice.init)
        try SeededDatabase(deviceCount: devices.count, devices: devices).make(at: folder + "/nightlatch.sqlite")
        let issuer = try server.start(port: 0)
        guard let process = server.processID, let port = issuer.url(path: "/")?.port else {
            throw CocoaError(.coderInvalidValue)
        }
        var elements: [BlindedElement] = []
        for _ in 0..<guessCount { elements.append(try await point(hardener)) }
        var time = 0.0
        try await LoadConnection.run(port: port) { connection in
            for (number, device) in devices.enumerated() {
                let opening = PinOpeningRequest(
                    message: try device.pinMessage(PinOpening(epoch: .first), at: issuer))
                let offer: PinEpochOffer = try await Self.send(opening, to: .openPinEpoch, on: &connection)
                let before = try ProcessorTime.of(process)
                for element in elements {
                    let guess = PinGuess(epoch: offer.epoch, window: offer.window, blindedElement: element)
                    let request = PinRequest(message: try device.pinMessage(guess, at: issuer))
                    let _: PinEvaluation = try await Self.send(request, to: .evaluatePin, on: &connection)
                }
                if number > 0 { time += try ProcessorTime.of(process) - before }
            }
        }
        return time / Double(deviceCount * guessCount)
    }

    private static func send<Answer: Decodable>(
        _ message: some Encodable,
        to route: Route,
        on connection: inout LoadConnection
    ) async throws -> Answer {
        let body = Array(StrictJSON.encode(message))
        return try StrictJSON.decode(
            Answer.self, from: try await connection.post(body, as: "application/json", to: route))
    }

    /// Milliseconds of this process for looking whether an element is a point, opening the key, evaluating, and the proof.
    private func function(_ hardener: PinHardener) async throws -> Double {
        let rounds = 200
        let device = DeviceID.random()
        let key = try await hardener.makeKey(for: device, epoch: .first)
        let element = try await point(hardener)
        _ = try await hardener.evaluate(element, with: key, of: device)
        let start = ProcessorTime.ofThisProcess()
        for _ in 0..<rounds {
            guard await hardener.isPoint(element) else { throw PinHardener.Failure.noPoint }
            _ = try await hardener.evaluate(element, with: key, of: device)
        }
        return (ProcessorTime.ofThisProcess() - start) / Double(rounds)
    }

    /// Whichever point: a public key is one.
    private func point(_ hardener: PinHardener) async throws -> BlindedElement {
        let key = try await hardener.makeKey(for: .random(), epoch: .first)
        guard let element = BlindedElement(rawValue: key.publicKey.rawValue) else { throw PinHardener.Failure.noPoint }
        return element
    }
}
