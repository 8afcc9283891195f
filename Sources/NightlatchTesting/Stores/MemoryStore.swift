public import Nightlatch

/// A record in memory. Copies of the value share it.
public struct MemoryStore: SecureStore {
    private let record = Shared<StoredRecord?>(nil)
    public let recordKey: (any RecordKey)?

    /// - Parameter recordKey: What vouches for the count of failures in the record; nil for a place that has no such key.
    public init(recordKey: (any RecordKey)? = nil) {
        self.recordKey = recordKey
    }

    public var guarantees: StoreGuarantees {
        StoreGuarantees(isDeviceBound: true, survivesReinstall: false, resistsRollback: true)
    }

    public func read() async throws(StoreError) -> StoredRecord? {
        record.withLock { $0 }
    }

    public func replace(_ new: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        try exchange(new, expecting: expected)
    }

    public func remove(expecting expected: UInt64) async throws(StoreError) {
        try exchange(nil, expecting: expected)
    }

    public func erase() async throws(StoreError) {
        record.withLock { $0 = nil }
    }

    /// Puts `record` there as someone would who has the store's place in their hands: past every check.
    public func plant(_ planted: StoredRecord?) {
        record.withLock { $0 = planted }
    }

    private func exchange(_ new: StoredRecord?, expecting expected: UInt64?) throws(StoreError) {
        let isExchanged = record.withLock { record in
            guard record?.revision == expected else { return false }
            record = new
            return true
        }
        guard isExchanged else { throw StoreError(.conflict) }
    }
}
