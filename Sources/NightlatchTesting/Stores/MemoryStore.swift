public import Nightlatch

/// A store in memory. Copies of the value share its record.
public struct MemoryStore: SecureStore {
    private let record = Shared<StoredRecord?>(nil)
    public let recordKey: (any RecordKey)?

    /// Creates an empty store.
    ///
    /// - Parameter recordKey: The key that authenticates the count of failed PINs in the record; nil for a store
    ///   without such a key.
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

    /// Replaces the record without any check, as an attacker with access to the store's place could.
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
