import Foundation
import Nightlatch
import NightlatchPlatform

/// The checks of compare-and-swap in the Keychain, through `KeychainStore`.
struct SwapChecks: Sendable {
    let system: DeviceSystem

    private static let rounds = 200
    private static let processesAccount = "swap-of-processes"

    /// Two connections write over an old revision, and then at the same time.
    func swap() async throws(StoreError) -> CheckOutcome {
        let item = CheckedItem(system)
        return try await item.check { () async throws(StoreError) in
            guard try await oldRevisionIsRefused(item) else {
                return .done(.didNotHold, ["lost": "a write that expected an old revision"])
            }
            let tally = CheckedItem(system, kind: "tally")
            return try await tally.check { () async throws(StoreError) in
                try outcome(of: try await inTwoTasks(at: tally.account))
            }
        }
    }

    /// This process and another one write at the same time. Waits about a minute for the other one.
    func swapOfProcesses() async throws(StoreError) -> CheckOutcome {
        let account = Self.processesAccount
        let end = try await run(at: account, as: UUID().uuidString, patience: 600).get()
        if end == .occupied { try await system.adapters.store(account, .whenUnlocked).erase() }
        return try outcome(of: [end])
    }
}

extension SwapChecks {
    private func oldRevisionIsRefused(_ item: CheckedItem) async throws(StoreError) -> Bool {
        let (first, second) = (item.store, item.store)
        try await first.replace(StoredRecord(revision: 1, bytes: [1]), expecting: nil)
        try await second.replace(StoredRecord(revision: 2, bytes: [2]), expecting: 1)
        let isWritten = try await CompareAndSwap.succeeds { () async throws(StoreError) in
            try await first.replace(StoredRecord(revision: 2, bytes: [3]), expecting: 1)
        }
        guard !isWritten else { return false }
        return try await second.read() == StoredRecord(revision: 2, bytes: [2])
    }

    private func run(at account: String, as name: String, patience: Int) async -> Result<SwapRun.End, StoreError> {
        let run = SwapRun(
            store: system.adapters.store(account, .whenUnlocked), rounds: Self.rounds, patience: patience,
            pause: system.pause)
        do throws(StoreError) {
            return .success(try await run.run(as: name))
        } catch {
            return .failure(error)
        }
    }

    private func inTwoTasks(at account: String) async throws(StoreError) -> [SwapRun.End] {
        let results = await withTaskGroup(of: Result<SwapRun.End, StoreError>.self) { group in
            for name in ["first", "second"] {
                group.addTask { await run(at: account, as: name, patience: 100) }
            }
            var results: [Result<SwapRun.End, StoreError>] = []
            for await result in group {
                results.append(result)
                // Without the first writer, the second one would wait in vain.
                if case .success(.counted) = result { continue }
                group.cancelAll()
            }
            return results
        }
        return try results.map { result throws(StoreError) in try result.get() }
    }

    /// One lost write is enough. Without a conflict, the writers may not have met.
    private func outcome(of ends: [SwapRun.End]) throws(StoreError) -> CheckOutcome {
        var conflicts = 0
        for end in ends {
            switch end {
            case .counted(let count): conflicts += count
            case .lost(let at): return .done(.didNotHold, ["lost_at_write": String(at), "writes": String(Self.rounds)])
            case .alone:
                return .undecided(problem: "No second process came. Start the app twice and run this check in both.")
            case .occupied:
                return .undecided(problem: "An earlier run was not finished. It was removed: run the check again.")
            case .removed: return .undecided(problem: "Another run removed this one. Run the check again.")
            case .gaveUp: return .undecided(problem: "A writer lost too often. Run the check again.")
            }
        }
        guard conflicts > 0 else {
            return .undecided(problem: "The two writers never wrote at the same time. Run the check again.")
        }
        return .done(.held, ["conflicts": String(conflicts), "writes_of_each": String(Self.rounds)])
    }
}
