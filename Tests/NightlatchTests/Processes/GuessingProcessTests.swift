#if os(Linux) || os(macOS)
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchVaultProcess
import Testing

/// The last attempt erases the vault and its verdict says so. Thus the verdicts show every attempt that was tested.
@Suite("A thousand concurrent attempts")
struct GuessingProcessTests {
    enum Way: CaseIterable {
        case tasks, eightProcesses
    }

    private static let limit = 5
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/vault" }

    @Test("Of 1,000 concurrent wrong attempts exactly the limit is tested", arguments: Way.allCases)
    func wrong(way: Way) async throws {
        let store = try await makeVault()
        let verdicts = try await guess(Array(repeating: TestPin.wrong, count: 1000), store, way)
        try #require(verdicts.count == 1000)
        // Each attempt before the last has another number of attempts left; the last one erases.
        let tried = verdicts.filter(\.wasTried)
        #expect(Set(tried) == Set((1..<Self.limit).map { .refused(.wrong(triesLeft: $0)) } + [.refused(.erased)]))
        #expect(tried.count == Self.limit)
        #expect(Set(verdicts).subtracting(tried).isSubset(of: [.refused(.blocked), .noVault]))
        #expect(try await Vault.forGuesses(store).state() == .erased)
    }

    @Test(
        "The right PIN among concurrent wrong ones allows the limit at most once more, and only if it opens",
        arguments: Way.allCases, 1...4)
    func rightAmongThem(way: Way, round: Int) async throws {
        let store = try await makeVault()
        var pins = Array(repeating: TestPin.wrong, count: 160)
        pins[round] = TestPin.right
        let verdicts = try await guess(pins, store, way)
        let openCount = verdicts.count { $0 == .opened }
        let wrongCount = verdicts.count(where: \.wasTried) - openCount
        #expect(openCount <= 1)
        // The limit was used up at most once before the right PIN opened, and at most once after it.
        #expect(wrongCount + openCount <= Self.limit * (1 + openCount))
        // The right PIN may open after all others were refused while it was tested.
        if openCount == 0 { #expect(try await Vault.forGuesses(store).state() == .erased) }
    }

    private func makeVault() async throws -> FileStore {
        let store = FileStore(path: path)
        try await Vault.forGuesses(store).create(TestPin.right)
        return store
    }

    private func guess(_ pins: [String], _ store: FileStore, _ way: Way) async throws -> [PinGuessing.Verdict] {
        guard way == .eightProcesses else { return try await PinGuessing.verdicts(on: pins, store: store) }
        return try await VaultProcess.onThreadOfItsOwn { [path] in
            let share = pins.count / 8
            let processes = try (0..<8).map { number in
                try Guesser(path: path, Array(pins[number * share..<(number + 1) * share]))
            }
            for process in processes { try process.waitUntilReady() }
            for process in processes { try process.start() }
            return try processes.flatMap { try $0.verdicts() }
        }
    }

    private struct Guesser {
        private let process: Process
        private let input = Pipe()
        private let output = Pipe()

        init(path: String, _ pins: [String]) throws {
            process = VaultProcess.make(.guess, path: path, pins)
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        func waitUntilReady() throws {
            guard try output.fileHandleForReading.read(upToCount: 1)?.count == 1 else {
                throw VaultProcess.Failure(status: -1)
            }
        }

        func start() throws { try input.fileHandleForWriting.close() }

        func verdicts() throws -> [PinGuessing.Verdict] {
            try JSONDecoder().decode(
                [PinGuessing.Verdict].self, from: VaultProcess.outputOfSuccess(process, output))
        }
    }
}

extension PinGuessing.Verdict {
    /// Whether the PIN was tested.
    fileprivate var wasTried: Bool {
        switch self {
        case .opened, .refused(.wrong), .refused(.erased): true
        case .refused(.waiting), .refused(.blocked), .noVault: false
        }
    }
}
#endif
