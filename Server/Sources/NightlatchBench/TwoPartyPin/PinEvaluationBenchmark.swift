import Foundation
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// Measures the evaluation of a guess at a two-party PIN: the server's cost of the whole request, and the cost of the
/// evaluation function alone.
struct PinEvaluationBenchmark: BenchmarkGroup {
    let names = ["guess_evaluation_server_cpu_ms", "guess_function_cpu_ms"]

    /// The number of guesses of each device: one fewer than a window allows under a server's default limit.
    private let guessCount = GuessLimit.default.count - 1
    /// The number of connections, which is that of the login benchmark.
    private let connections = 16
    /// The number of devices of each connection. The first device is not measured: during its guesses, the server fills
    /// caches and allocates memory.
    private let devicesPerConnection = 6

    func measure() async throws -> [Measurement] {
        let evaluator = PinEvaluator(keyring: .random())
        return [
            Measurement(
                "guess_evaluation_server_cpu_ms", try await requests(evaluator), "ms", goal: 5, better: .lower),
            Measurement("guess_function_cpu_ms", try await function(evaluator), "ms", better: .lower),
        ]
    }

    /// Returns the processor time of the server's process for a request over HTTP, in milliseconds.
    ///
    /// It includes the time for verifying and making signatures, writing the charge to disk, evaluating the function,
    /// making the proof and storing the evaluation.
    private func requests(_ evaluator: PinEvaluator) async throws -> Double {
        let servers = try BenchmarkServers(["server"])
        defer { servers.clearAway() }
        let devices = try (0..<connections * devicesPerConnection).map(LoadDevice.init)
        try SeededDatabase(deviceCount: devices.count, devices: devices)
            .make(at: servers.folders[0] + "/nightlatch.sqlite")
        let issuer = try servers.processes[0].start(port: 0)
        guard let process = servers.processes[0].processID, let port = issuer.url(path: "/")?.port else {
            throw CocoaError(.coderInvalidValue)
        }
        let phones = try await open(devices, at: issuer, port)
        var elements: [BlindedElement] = []
        for _ in 0..<guessCount { elements.append(try await point(evaluator)) }
        try await guess(elements, phones.prefix(connections), at: issuer, port)
        let measured = phones.dropFirst(connections)
        let before = try ProcessorTime.of(process)
        try await guess(elements, measured, at: issuer, port)
        return (try ProcessorTime.of(process) - before) / Double(measured.count * guessCount)
    }

    /// A device with a candidate epoch, for which it can make guesses.
    private struct Phone: Sendable {
        let device: LoadDevice
        let offer: PinEpochOffer
    }

    private func open(_ devices: [LoadDevice], at issuer: Issuer, _ port: Int) async throws -> [Phone] {
        var phones: [Phone] = []
        try await LoadConnection.run(port: port) { connection in
            for device in devices {
                let opening = PinOpeningRequest(
                    message: try device.pinMessage(PinOpening(epoch: .first), at: issuer))
                phones.append(
                    Phone(
                        device: device,
                        offer: try await Self.send(opening, to: .openPinEpoch, on: &connection)))
            }
        }
        return phones
    }

    /// Distributes the phones among the connections. Each connection handles its phones one after the other.
    private func guess(
        _ elements: [BlindedElement],
        _ phones: ArraySlice<Phone>,
        at issuer: Issuer,
        _ port: Int
    ) async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<connections {
                let share = phones.enumerated().filter { $0.offset % connections == number }.map(\.element)
                group.addTask {
                    try await LoadConnection.run(port: port) { connection in
                        for phone in share {
                            for element in elements {
                                let guess = PinGuess(
                                    epoch: phone.offer.epoch, window: phone.offer.window, blindedElement: element)
                                let request = PinRequest(message: try phone.device.pinMessage(guess, at: issuer))
                                let _: PinEvaluation = try await Self.send(
                                    request, to: .evaluatePin, on: &connection)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
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

    /// Returns the processor time of this process, in milliseconds, for checking the point, opening the key, the
    /// evaluation and the proof.
    private func function(_ evaluator: PinEvaluator) async throws -> Double {
        let rounds = 200
        let device = DeviceID.random()
        let key = try await evaluator.makeKey(for: device, epoch: .first)
        let element = try await point(evaluator)
        _ = try await evaluator.evaluate(element, with: key, of: device)
        let start = ProcessorTime.ofThisProcess()
        for _ in 0..<rounds {
            guard await evaluator.isPoint(element) else { throw PinEvaluator.Failure.noPoint }
            _ = try await evaluator.evaluate(element, with: key, of: device)
        }
        return (ProcessorTime.ofThisProcess() - start) / Double(rounds)
    }

    /// Returns an arbitrary point of the curve. A public key is such a point.
    private func point(_ evaluator: PinEvaluator) async throws -> BlindedElement {
        let key = try await evaluator.makeKey(for: .random(), epoch: .first)
        guard let element = BlindedElement(rawValue: key.publicKey.rawValue) else { throw PinEvaluator.Failure.noPoint }
        return element
    }
}
