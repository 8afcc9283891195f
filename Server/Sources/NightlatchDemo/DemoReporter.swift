import Foundation
import NightlatchProgram
import Synchronization

/// Prints one line for each step, as text or as JSON.
final class DemoReporter: Sendable {
    private let isJSON: Bool
    private let pausesBetweenSteps: Bool
    private let stepCount = Mutex(0)
    private let isSilent = Mutex(false)

    init(isJSON: Bool, pausesBetweenSteps: Bool) {
        self.isJSON = isJSON
        self.pausesBetweenSteps = pausesBetweenSteps
    }

    private struct Line: Encodable {
        let step: Int
        let name: String
        let ok: Bool
        let checked: String?
        let failure: String?
    }

    private struct Summary: Encodable {
        let ok: Bool
        let steps: Int
        let failure: String?
    }

    /// Runs a step and prints its result, which `body` returns.
    ///
    /// - Throws: ``DemoFailure`` for any error of `body`. The line with the error is already printed.
    func step<Value>(_ name: String, _ body: () async throws -> (Value, checked: String)) async throws -> Value {
        let step = stepCount.withLock { count in
            count += 1
            return count
        }
        do {
            let (value, checked) = try await body()
            show(Line(step: step, name: name, ok: true, checked: checked, failure: nil))
            return value
        } catch {
            let failure = (error as? CommandFailure)?.message ?? "\(error)"
            show(Line(step: step, name: name, ok: false, checked: nil, failure: failure))
            throw DemoFailure(failure)
        }
    }

    /// Runs a step like ``step(_:_:)``, for a body that returns only what it checked.
    func step(_ name: String, _ body: () async throws -> String) async throws {
        try await step(name) { ((), checked: try await body()) }
    }

    /// Stops all further output. Used after an interruption, because it makes the next step fail.
    func fallSilent() {
        isSilent.withLock { $0 = true }
    }

    func finish(failure: DemoFailure?) {
        let steps = stepCount.withLock { $0 }
        if isJSON {
            show(json: Summary(ok: failure == nil, steps: steps, failure: failure?.description))
        } else {
            show(failure == nil ? "All \(steps) steps succeeded." : "Step \(steps) failed.")
        }
    }

    private func show(_ line: Line) {
        if isJSON { return show(json: line) }
        let number = String(line.step)
        let mark = line.ok ? "✓" : "✗"
        show("\(mark) \(String(repeating: " ", count: 2 - min(2, number.count)))\(number) \(line.name)")
        show("      \(line.checked ?? line.failure ?? "")")
        guard pausesBetweenSteps, line.ok else { return }
        StandardStream.writeLine("      (press Return to continue)", to: .standardError)
        _ = readLine()
    }

    private func show(json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            show(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            preconditionFailure("strings and numbers always encode")
        }
    }

    private func show(_ line: String) {
        guard !isSilent.withLock({ $0 }) else { return }
        StandardStream.writeLine(line, to: .standardOutput)
    }
}
