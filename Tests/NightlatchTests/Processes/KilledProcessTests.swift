#if os(Linux) || os(macOS)
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchVaultProcess
import Testing

@Suite("Killed processes")
struct KilledProcessTests {
    private static let secrets = ["wallet": "seed", "token": String(repeating: "t", count: 2000)]
    private static let roundCount = 150
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/vault" }

    @Test(
        "A process that is killed at any point leaves one PIN that opens the same secrets, and every failure",
        arguments: [1, 2] as [UInt64])
    func killed(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = FileStore(path: path)
        let open = try await Vault.forPinChanges(store).create(TestPin.right)
        for (name, text) in Self.secrets { try await open.set(text, named: name) }

        var pins = [TestPin.right, TestPin.new]
        var failures = 0
        var tally = Tally()
        for round in 0..<Self.roundCount {
            let steps = try await steps(
                ofProcessChanging: pins[0], pins[1],
                killedAfter: .random(in: 1...45, using: &generator),
                andMicroseconds: .random(in: 0..<2000, using: &generator))
            let expected = Expectation(failures: failures, steps)
            if expected.changeCount % 2 == 1 { pins.swapAt(0, 1) }

            let record = try #require(try await store.read(), "round \(round)")
            failures = try await store.failures()
            #expect(expected.failures.contains(failures), "round \(round): \(failures) failures after \(steps)")
            var opening: [String] = []
            for pin in pins + [TestPin.wrong] {
                let copy = MemoryStore()
                copy.plant(record)
                guard let open = try? await Vault.forPinChanges(copy).unlock(pin) else { continue }
                opening.append(pin)
                #expect(try await open.texts() == Self.secrets, "round \(round)")
            }
            #expect(opening.count == 1, "round \(round): \(opening) after \(steps)")
            #expect(opening.first == pins[0] || expected.isChanging && opening.first == pins[1], "round \(round)")
            if opening.first == pins[1] {
                pins.swapAt(0, 1)
                tally.changedUnsaid += 1
            }
            tally.changes += expected.changeCount
            tally.inChange += expected.isChanging ? 1 : 0
            tally.unfinished += try JSONTree(record)["change"] == nil ? 0 : 1
            tally.halfWritten += FileManager.default.fileExists(atPath: path + ".new") ? 1 : 0
        }
        print("killed \(Self.roundCount) processes: \(tally)")
        #expect(tally.changes > 0 && tally.inChange > 0 && tally.unfinished > 0 && tally.halfWritten > 0)
    }

    /// The possible states after a process was killed that has reported these steps.
    private struct Expectation {
        private(set) var changeCount = 0
        private(set) var isChanging = false
        private(set) var failures: Set<Int>

        init(failures: Int, _ steps: [PinChanging.Step]) {
            var known = failures
            self.failures = [known]
            for step in steps {
                switch step {
                case .guessing: self.failures = [known, known + 1]
                case .refused:
                    known += 1
                    self.failures = [known]
                case .changing:
                    isChanging = true
                    self.failures = [known, known + 1, 0]
                case .changed:
                    isChanging = false
                    changeCount += 1
                    known = 0
                    self.failures = [known]
                case .storeCall: break
                }
            }
        }
    }

    private struct Tally {
        /// Changes that were reported as complete.
        var changes = 0
        /// Processes that were killed during a change.
        var inChange = 0
        /// Complete changes of processes that were killed before they could report them.
        var changedUnsaid = 0
        /// Records with an unfinished change.
        var unfinished = 0
        /// Files that were half written beside the record.
        var halfWritten = 0
    }

    /// Starts a process, kills it a while after it has reported `stepCount` steps, and returns all reported steps.
    private func steps(
        ofProcessChanging pin: String,
        _ other: String,
        killedAfter stepCount: Int,
        andMicroseconds microseconds: UInt32
    ) async throws -> [PinChanging.Step] {
        try await VaultProcess.onThreadOfItsOwn { [path] in
            let process = VaultProcess.make(.changePins, path: path, [pin, other, TestPin.wrong])
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            var said = Data()
            while said.count < stepCount {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                said += more
            }
            // Waits for no event, so that the process is killed between two steps as well.
            usleep(microseconds)
            kill(process.processIdentifier, SIGKILL)
            said += try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
                throw VaultProcess.Failure(status: process.terminationStatus)
            }
            return said.compactMap(PinChanging.Step.init)
        }
    }
}
#endif
