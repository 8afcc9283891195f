import Foundation
import Nightlatch

/// Two writers that count in one record by compare-and-swap, each for itself, at the same time.
///
/// Each writer remembers its count. If a later read finds another one, the other writer has overwritten it. The writers
/// may be tasks or processes.
struct SwapRun: Sendable {
    enum End: Hashable, Sendable {
        /// - Parameter conflicts: How often this writer lost against the other. With none, the writers may not have
        ///   met.
        case counted(conflicts: Int)
        /// A write of this writer was lost, after it had counted so far.
        case lost(at: Int)
        /// No other writer came.
        case alone
        /// Another run was not finished.
        case occupied
        /// The record was removed during the run: another process took the run for an unfinished one.
        case removed
        /// The writer lost too often, or was cancelled.
        case gaveUp
    }

    let store: any SecureStore
    let rounds: Int
    /// How many pauses a writer waits for the other one.
    let patience: Int
    let pause: @Sendable () async -> Void

    func run(as name: String) async throws(StoreError) -> End {
        guard try await join(name) else { return .occupied }
        guard try await partnerCame() else { return .alone }
        let conflictLimit = 1000 * rounds
        var (count, conflicts) = (0, 0)
        while count < rounds {
            guard conflicts < conflictLimit, !Task.isCancelled else { return .gaveUp }
            guard let (tally, revision) = try await read() else { return .removed }
            guard tally.counts[name] == count else { return .lost(at: count) }
            var next = tally
            next.counts[name] = count + 1
            if try await wins(next, over: revision) { count += 1 } else { conflicts += 1 }
        }
        guard let end = try await read() else { return .removed }
        guard end.tally.counts[name] == rounds else { return .lost(at: rounds) }
        return .counted(conflicts: conflicts)
    }

    /// Adds a writer. Replaces the tally of a run that both writers finished.
    private func join(_ name: String) async throws(StoreError) -> Bool {
        for _ in 0..<100 where !Task.isCancelled {
            guard let (tally, revision) = try await read() else {
                if try await wins(SwapTally(counts: [name: 0]), over: nil) { return true }
                continue
            }
            var next = tally
            if tally.counts.count == 2 {
                guard tally.counts.values.allSatisfy({ $0 == rounds }) else { return false }
                next.counts = [:]
            }
            next.counts[name] = 0
            if try await wins(next, over: revision) { return true }
        }
        return false
    }

    /// Waits for the other writer. Without one, removes the tally, so that the next run can begin.
    private func partnerCame() async throws(StoreError) -> Bool {
        for _ in 0..<patience where !Task.isCancelled {
            if try await read()?.tally.counts.count == 2 { return true }
            await pause()
        }
        guard let (tally, revision) = try await read() else { return false }
        guard tally.counts.count < 2 else { return true }
        return try await !CompareAndSwap.succeeds { () async throws(StoreError) in
            try await store.remove(expecting: revision)
        }
    }

    private func read() async throws(StoreError) -> (tally: SwapTally, revision: UInt64)? {
        guard let record = try await store.read() else { return nil }
        guard let tally = try? JSONDecoder().decode(SwapTally.self, from: Data(record.bytes)) else {
            throw StoreError(.corrupt)
        }
        return (tally, record.revision)
    }

    /// Writes the tally. Returns false if another writer was first.
    private func wins(_ tally: SwapTally, over revision: UInt64?) async throws(StoreError) -> Bool {
        guard let bytes = try? JSONEncoder().encode(tally) else { throw StoreError(.corrupt) }
        return try await CompareAndSwap.succeeds { () async throws(StoreError) in
            try await store.replace(
                StoredRecord(revision: (revision ?? 0) + 1, bytes: [UInt8](bytes)), expecting: revision)
        }
    }
}

/// The counts of the writers, by name.
private struct SwapTally: Codable {
    var counts: [String: Int]
}
