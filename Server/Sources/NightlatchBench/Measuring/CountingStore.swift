import Nightlatch
import Synchronization

/// A store that counts the writes that reach the disk.
final class CountingStore: SecureStore {
    private let base: any SecureStore
    private let count = Mutex(0)

    init(_ base: any SecureStore) {
        self.base = base
    }

    var writeCount: Int { count.withLock { $0 } }

    var guarantees: StoreGuarantees { base.guarantees }

    var recordKey: (any RecordKey)? { base.recordKey }

    func read() async throws(StoreError) -> StoredRecord? {
        try await base.read()
    }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        count.withLock { $0 += 1 }
        try await base.replace(record, expecting: expected)
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        count.withLock { $0 += 1 }
        try await base.remove(expecting: expected)
    }

    func erase() async throws(StoreError) {
        count.withLock { $0 += 1 }
        try await base.erase()
    }
}
