import Nightlatch
import NightlatchTesting

/// A store that keeps every written record, and lets a test act just before any of its calls.
struct RecordingStore: SecureStore {
    private let base: any SecureStore
    private let records = Shared<[StoredRecord]>([])
    private let steps: Steps

    /// - Parameter steps: Counts the calls. Several stores with the same `steps` are counted together.
    init(_ base: any SecureStore, steps: Steps = Steps()) {
        self.base = base
        self.steps = steps
    }

    var guarantees: StoreGuarantees { base.guarantees }
    var recordKey: (any RecordKey)? { base.recordKey }

    /// The written records, in the order in which they took effect.
    var written: [StoredRecord] { records.withLock { $0 }.sorted { $0.revision < $1.revision } }

    var callCount: Int { steps.count }

    /// Counts calls from zero again, and runs `action` once just before the `call`-th.
    func interrupt(at call: Int, _ action: @escaping @Sendable () async -> Void) {
        steps.interrupt(at: call, action)
    }

    func read() async throws(StoreError) -> StoredRecord? {
        // A check whether an opening is superseded belongs to no operation, and can happen at any time.
        if !VaultOpening.isLooking { await steps.step() }
        return try await base.read()
    }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        await steps.step()
        try await base.replace(record, expecting: expected)
        records.withLock { $0.append(record) }
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        await steps.step()
        try await base.remove(expecting: expected)
    }

    func erase() async throws(StoreError) {
        await steps.step()
        try await base.erase()
    }
}
