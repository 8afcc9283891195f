import Nightlatch
import NightlatchTesting

/// A store that remembers every record that was written, and lets a test act just before any of its calls.
struct RecordingStore: SecureStore {
    private struct Notes {
        var written: [StoredRecord] = []
        var callsMade = 0
        var interruption: (call: Int, action: @Sendable () async -> Void)?
    }

    private let base: any SecureStore
    private let notes = Shared(Notes())

    init(_ base: any SecureStore) {
        self.base = base
    }

    var guarantees: StoreGuarantees { base.guarantees }
    var ledgerKey: (any LedgerKey)? { base.ledgerKey }

    /// What was written, in the order in which it took effect.
    var written: [StoredRecord] { notes.withLock { $0.written }.sorted { $0.revision < $1.revision } }

    var callCount: Int { notes.withLock { $0.callsMade } }

    /// Counts calls from zero again, and runs `action` once just before the `call`-th.
    func interrupt(at call: Int, _ action: @escaping @Sendable () async -> Void) {
        notes.withLock {
            $0.callsMade = 0
            $0.interruption = (call, action)
        }
    }

    func read() async throws(StoreError) -> StoredRecord? {
        await countCall()
        return try await base.read()
    }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        await countCall()
        try await base.replace(record, expecting: expected)
        notes.withLock { $0.written.append(record) }
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        await countCall()
        try await base.remove(expecting: expected)
    }

    func erase() async throws(StoreError) {
        await countCall()
        try await base.erase()
    }

    private func countCall() async {
        let action = notes.withLock { notes -> (@Sendable () async -> Void)? in
            defer { notes.callsMade += 1 }
            guard let interruption = notes.interruption, interruption.call == notes.callsMade else { return nil }
            notes.interruption = nil
            return interruption.action
        }
        await action?()
    }
}
